"""A controller in the loop: `bristle realtime` runs a quadruped on the wall clock, this script makes it squat over UDP.

The packets are described in docs/realtime.md.
"""

import json
import math
import socket
import struct
import subprocess
import sys
from pathlib import Path

import matplotlib.pyplot as plt

SCENE = Path(__file__).parents[2] / "scenes" / "quadruped_stand.toml"
RATE, SECONDS, AMPLITUDE = 200, 2.0, 0.1  # Hz, s, rad
BRISTLE = [sys.executable, "-m", "bristle", "realtime", str(SCENE), "--rate", str(RATE)]
METHOD = 'simulation.integrator={method="linearly-implicit",step=1e-3}'


def main(picture: str) -> None:
    layout = json.loads(subprocess.run([*BRISTLE, "--layout"], check=True, capture_output=True).stdout)
    motors = layout["motors"]
    # to squat, a knee bends twice as far as the thigh above it turns back
    shares = [-2.0 if "calf" in name else 1.0 if "thigh" in name else 0.0 for name in motors]
    watched = layout["q"]["dog/FR_calf_j"][0]

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.bind(("127.0.0.1", 0))
        link.settimeout(0.2)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [*BRISTLE, "--set", METHOD, "--duration", str(SECONDS), "--udp", str(port), "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as bristle:
            seen = converse(link, ("127.0.0.1", port), bristle, shares, watched, layout)
            timing = json.loads(bristle.stdout.read())

    misses, worst = timing["misses"], 1e6 * timing["work"]["worst"]
    print(f"{timing['ticks']} ticks, {misses} missed, worst {worst:.0f} us, {timing['udp']['received']} commands")
    times, angles, told = zip(*seen)
    plt.plot(times, told, "--", label="asked of the knee, from where it stood")
    plt.plot(times, angles, label="knee")
    plt.xlabel("time, s")
    plt.ylabel("angle, rad")
    plt.ylim(top=max(max(angles), max(told)) + 0.12)  # room for the legend
    plt.legend(loc="upper left")
    plt.savefig(picture)


def converse(link, peer, bristle, shares, watched, layout):
    """Answers every state with commands; gives back time, angle and what was asked."""
    seen, tick, at_rest, asked = [], 0, None, 0.0
    while bristle.poll() is None:
        tick += 1
        numbers = [x for share in shares for x in (share * asked, 0.0, 0.0)]  # target, rate, effort: added to the scene's
        link.sendto(struct.pack(f"<4sHHQ{len(numbers)}d", b"BRCM", 1, len(shares), tick, *numbers), peer)
        try:
            packet = link.recv(1 << 16)
        except (TimeoutError, ConnectionError):
            continue  # not there yet, or gone
        magic, _, _, nq, _, _ = struct.unpack_from("<4sHHIIQ", packet)
        assert magic == b"BRST" and nq == layout["nq"]
        time, *q = struct.unpack_from(f"<{1 + nq}d", packet, 24)
        at_rest = q[watched] if at_rest is None else at_rest
        asked = AMPLITUDE * math.sin(2 * math.pi * time)
        seen.append((time, q[watched], at_rest - 2 * asked))
    return seen


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "udp_controller.png")
