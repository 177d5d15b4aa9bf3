// Programs of the graphics card. Colours leave them multiplied by their opacity, as the page under the canvas expects.

const SHADING = `
uniform vec3 eye, light, up, skyLight, earthLight;
vec3 shade(vec3 tint, vec3 normal, vec3 point) {
  vec3 toEye = normalize(eye - point);
  vec3 ambient = mix(earthLight, skyLight, 0.5 + 0.5 * dot(normal, up));
  float key = max(dot(normal, light), 0.0);
  float fill = max(dot(normal, normalize(toEye - 0.4 * light)), 0.0);
  float gloss = pow(max(dot(normal, normalize(light + toEye)), 0.0), 48.0);
  float rim = pow(1.0 - max(dot(normal, toEye), 0.0), 4.0);
  return tint * (ambient + 0.5 * key + 0.14 * fill) + vec3(0.2 * gloss + 0.08 * rim);
}`;
const TURN = `vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }`;

// Bodies, many of one mesh at once; also their shadows on a plane.
const BODY_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 place;
layout(location = 3) in vec4 attitude;
layout(location = 4) in vec4 tintAndSize;
uniform mat4 camera;
uniform vec4 plane;
uniform vec3 shadowLight;
uniform bool isShadow;
uniform float lift;
out vec3 vPoint, vNormal, vOwn, vTint;
${TURN}
void main() {
  vec3 point = place + turned(attitude, position) * tintAndSize.w;
  if (isShadow) {
    float height = max(dot(plane.xyz, point) - plane.w, 0.0);
    point -= shadowLight * height / dot(plane.xyz, shadowLight);
    point += plane.xyz * (plane.w - dot(plane.xyz, point) + lift);
  }
  vPoint = point; vNormal = turned(attitude, normal); vOwn = position; vTint = tintAndSize.rgb;
  gl_Position = camera * vec4(point, 1.0);
}`;
const BODY_FRAGMENT = `#version 300 es
precision highp float;
in vec3 vPoint, vNormal, vOwn, vTint;
uniform bool isShadow;
uniform int mark;
uniform vec3 half_;
uniform float spacing, opacity;
uniform vec4 shadow;
uniform vec3 lineTint;
out vec4 colour;
${SHADING}
// -1 and 1 on either side of zero, soft over one pixel.
float side(float x) { return clamp(x / max(fwidth(x), 1e-9), -1.0, 1.0); }
float onLine(float x, float period, float pixels) {
  float cell = x / period, width = fwidth(cell);
  float near = abs(fract(cell - 0.5) - 0.5);
  return (1.0 - smoothstep(0.5 * pixels * width, (0.5 * pixels + 1.0) * width, near)) * clamp(0.35 / max(width, 1e-6), 0.0, 1.0);
}
void main() {
  if (isShadow) { colour = shadow; return; }
  vec3 tint = vTint;
  if (mark == 1) tint *= 0.86 + 0.14 * side(vOwn.x) * side(vOwn.y) * side(vOwn.z);
  if (mark == 2) tint *= 0.86 + 0.14 * side(vOwn.x) * side(vOwn.y);
  if (mark == 3) {
    vec3 gap = half_ - abs(vOwn);
    float second = max(min(gap.x, gap.y), min(max(gap.x, gap.y), gap.z));
    float width = 0.03 * min(half_.x, min(half_.y, half_.z)) + fwidth(second);
    tint *= mix(0.62, 1.0, smoothstep(width, width + fwidth(second), second));
  }
  vec3 normal = normalize(vNormal);
  vec3 lit = shade(tint, normal, vPoint);
  if (mark == 4) {
    float angle = atan(vOwn.y, vOwn.x) / 6.2831853;
    // The angle jumps at half a turn; counted from there, it jumps elsewhere.
    float shifted = fract(angle);
    float here = onLine(angle, 1.0 / 24.0, 1.0), there = onLine(shifted, 1.0 / 24.0, 1.0);
    float across = fwidth(angle) < fwidth(shifted) ? here : there;
    lit = mix(lit, lineTint, 0.55 * max(across, onLine(vOwn.z, spacing, 1.0)));
  }
  if (mark == 5) lit = mix(lit, tint, 0.6);
  if (mark == 6) lit = mix(lit, lineTint, 0.5 * max(onLine(vOwn.x, spacing, 1.0), onLine(vOwn.y, spacing, 1.0)));
  if (mark == 7) lit = tint;
  colour = vec4(lit, 1.0) * opacity;
}`;

// Force arrows: the mesh counts z from 0 to 1 along the shaft and from 1 to 2 along the head.
const ARROW_VERTEX = `#version 300 es
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 place;
layout(location = 3) in vec4 reachAndWidth;
layout(location = 4) in vec4 tintAndSize;
uniform mat4 camera;
out vec3 vPoint, vNormal, vOwn, vTint;
void main() {
  float reach = length(reachAndWidth.xyz), width = reachAndWidth.w;
  vec3 along = reachAndWidth.xyz / max(reach, 1e-30);
  vec3 aside = normalize(abs(along.z) < 0.9 ? cross(along, vec3(0.0, 0.0, 1.0)) : cross(along, vec3(1.0, 0.0, 0.0)));
  vec3 third = cross(along, aside);
  float head = min(2.6 * width, 0.6 * reach), thick = min(width, 0.3 * reach);
  float height = min(position.z, 1.0) * (reach - head) + max(position.z - 1.0, 0.0) * head;
  vPoint = place + along * height + (aside * position.x + third * position.y) * thick;
  vNormal = aside * normal.x + third * normal.y + along * normal.z;
  vOwn = position; vTint = tintAndSize.rgb;
  gl_Position = camera * vec4(vPoint, 1.0);
}`;

// A plane as a grid that fades into the distance, or ends at an edge.
const PLANE_VERTEX = `#version 300 es
uniform mat4 camera;
uniform vec3 centre, alongU, alongV;
uniform float reach;
out vec3 vPoint;
out vec2 vPlace;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vPlace = corner;
  vPoint = centre + reach * (corner.x * alongU + corner.y * alongV);
  gl_Position = camera * vec4(vPoint, 1.0);
}`;
const PLANE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 vPoint;
in vec2 vPlace;
uniform vec3 alongU, alongV, origin, fillTint, lineTint, eye;
uniform float spacing, opacity;
uniform bool isFading;
out vec4 colour;
float onLine(float x, float period, float pixels) {
  float cell = x / period, width = fwidth(cell);
  float near = abs(fract(cell - 0.5) - 0.5);
  return (1.0 - smoothstep(0.5 * pixels * width, (0.5 * pixels + 1.0) * width, near)) * clamp(0.35 / max(width, 1e-6), 0.0, 1.0);
}
void main() {
  vec3 from = vPoint - origin;
  vec2 at = vec2(dot(from, alongU), dot(from, alongV));
  float fine = max(onLine(at.x, spacing, 1.0), onLine(at.y, spacing, 1.0));
  float coarse = max(onLine(at.x, 5.0 * spacing, 1.5), onLine(at.y, 5.0 * spacing, 1.5));
  float line = max(0.2 * fine, 0.45 * coarse);
  float fade = isFading ? 1.0 - smoothstep(0.08, 0.85, length(vPlace)) : 1.0;
  float edge = isFading ? 0.0 : 1.0 - smoothstep(0.0, 1.5, min(1.0 - abs(vPlace.x), 1.0 - abs(vPlace.y)) / fwidth(vPlace.x));
  line = max(line, edge);
  float strength = fade * mix(opacity, max(opacity, 0.8), line);
  colour = vec4(mix(fillTint, lineTint, line), 1.0) * strength;
}`;

// Lines a few pixels wide; each knows two times, so that a trail ends at the present.
const LINE_VERTEX = `#version 300 es
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in vec2 times;
layout(location = 3) in vec3 tint;
uniform mat4 camera;
uniform vec2 pixels;
uniform float width;
out float vTime;
out vec3 vTint;
void main() {
  vec4 a = camera * vec4(from, 1.0), b = camera * vec4(to, 1.0);
  bool isEnd = (gl_VertexID & 1) == 1;
  vec2 along = normalize((b.xy / b.w - a.xy / a.w) * pixels + vec2(1e-6, 0.0));
  vec2 aside = vec2(-along.y, along.x) * (gl_VertexID >= 2 ? 1.0 : -1.0) * width / pixels;
  vec4 place = isEnd ? b : a;
  place.xy += aside * place.w;
  if (a.w < 0.0 || b.w < 0.0) place = vec4(0.0, 0.0, 2.0, 1.0);
  vTime = isEnd ? times.y : times.x;
  vTint = tint;
  gl_Position = place;
}`;
const LINE_FRAGMENT = `#version 300 es
precision highp float;
in float vTime;
in vec3 vTint;
uniform float now, memory, opacity;
out vec4 colour;
void main() {
  if (vTime > now) discard;
  float age = clamp((now - vTime) / memory, 0.0, 1.0);
  colour = vec4(vTint, 1.0) * opacity * mix(1.0, 0.18, age);
}`;
