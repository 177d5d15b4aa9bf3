// Simbody's Hunt-Crossley contact on the problems of bench/peers: prints one JSON object.
//   simbody sphere METHOD ACCURACY REPEATS
//   simbody pendulum METHOD ACCURACY DURATION REPEATS
//   simbody robot TREE METHOD ACCURACY FROM TO        (TREE: see robot_tree in problems.py)
#include <Simbody.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

using namespace SimTK;

static double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

static std::unique_ptr<Integrator> method(const std::string &name, const System &system, double accuracy) {
    std::unique_ptr<Integrator> found;
    if (name == "merson")
        found = std::make_unique<RungeKuttaMersonIntegrator>(system);
    else if (name == "cpodes")
        found = std::make_unique<CPodesIntegrator>(system, CPodes::BDF);
    else
        throw std::runtime_error("no such method: " + name);
    found->setAccuracy(accuracy);
    return found;
}

// Bodies under gravity along an axis, and Hunt-Crossley contact between all that is added.
struct World {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralContactSubsystem contacts{system};
    GeneralForceSubsystem forces{system};
    ContactSetIndex all = contacts.createContactSet();

    explicit World(const Vec3 &gravity) { Force::Gravity(forces, matter, gravity); }

    // f = 4/3 k_s^1.5 sqrt(R) x^1.5 (1 + 1.5 c v); k_s^1.5 = k / 2^1.5 for two sides alike. The stiffness asked for is that of x^1.5.
    void material(double stiffness, double radius, double dissipation, double friction, double transition) {
        HuntCrossleyForce law(forces, contacts, all);
        const double k = stiffness * 0.75 * std::pow(2.0, 1.5) / std::sqrt(radius);
        for (int i = 0; i < contacts.getNumBodies(all); i++)
            law.setBodyParameters(ContactSurfaceIndex(i), k, dissipation / 1.5, friction, friction, 0);
        law.setTransitionVelocity(transition);
    }
};

// Runs from a state, timed between two times.
static void go(World &world, const State &start, const std::string &name, double accuracy, double from, double to, int repeats) {
    std::vector<double> times;
    std::unique_ptr<Integrator> integrator;
    for (int r = 0; r < repeats; r++) {
        integrator = method(name, world.system, accuracy);
        TimeStepper stepper(world.system, *integrator);
        stepper.initialize(start);
        if (from > 0) stepper.stepTo(from);
        integrator->resetAllStatistics();
        const double clock = seconds();
        stepper.stepTo(to);
        times.push_back(seconds() - clock);
    }
    std::sort(times.begin(), times.end());
    const State &end = integrator->getState();
    std::printf("{\"seconds\": {\"least\": %.9g, \"median\": %.9g, \"most\": %.9g}, \"steps\": %d, \"evaluations\": %d, \"q\": [", times.front(),
                times[times.size() / 2], times.back(), integrator->getNumStepsTaken(), integrator->getNumRealizations());
    for (int i = 0; i < end.getNQ(); i++) std::printf("%s%.15g", i ? ", " : "", double(end.getQ()[i]));
    std::printf("]}\n");
}

static void sphere(const std::string &name, double accuracy, int repeats) {
    const double radius = 0.0165, mass = 0.154;
    World world(Vec3(0, 0, -9.81));
    MobilizedBody::Free ball(world.matter.Ground(), Body::Rigid(MassProperties(mass, Vec3(0), UnitInertia::sphere(radius) * mass)));
    world.contacts.addBody(world.all, world.matter.Ground(), ContactGeometry::HalfSpace(), Transform(Rotation(Pi / 2, YAxis)));
    world.contacts.addBody(world.all, ball, ContactGeometry::Sphere(radius), Transform());
    world.material(8.5e6, radius, 0.45, 0.2, 1e-3);
    world.system.realizeTopology();
    State start = world.system.getDefaultState();
    ball.setQToFitTranslation(start, Vec3(0, 0, 0.1165));
    ball.setUToFitLinearVelocity(start, Vec3(0.5, 0.5, 0));
    go(world, start, name, accuracy, 0, 1, repeats);
}

static void pendulum(const std::string &name, double accuracy, double duration, int repeats) {
    World world(Vec3(0, -9.81, 0));
    auto rod = [](double mass, double length) {
        const double about_end = mass * length * length / 3;
        return Body::Rigid(MassProperties(mass, Vec3(0, -length / 2, 0), Inertia(about_end, 1e-9, about_end)));
    };
    MobilizedBody::Pin upper(world.matter.Ground(), Transform(), rod(5, 0.5), Transform());
    MobilizedBody::Pin lower(upper, Transform(Vec3(0, -0.5, 0)), rod(2, 0.25), Transform());
    const Transform floor(Rotation(-Pi / 2, ZAxis), Vec3(0, -0.61, 0));
    world.contacts.addBody(world.all, world.matter.Ground(), ContactGeometry::HalfSpace(), floor);
    world.contacts.addBody(world.all, lower, ContactGeometry::Sphere(0.01), Transform(Vec3(0, -0.24, 0)));
    world.material(1e9, 0.01, 0.075, 0, 1e-3);
    world.system.realizeTopology();
    State start = world.system.getDefaultState();
    upper.setAngle(start, Pi / 2);
    go(world, start, name, accuracy, 0, duration, repeats);
}

static void robot(const char *file, const std::string &name, double accuracy, double from, double to) {
    World world(Vec3(0, 0, -9.81));
    world.contacts.addBody(world.all, world.matter.Ground(), ContactGeometry::HalfSpace(), Transform(Rotation(Pi / 2, YAxis)));
    std::ifstream tree(file);
    int count;
    tree >> count;
    std::vector<MobilizedBody> links;
    std::vector<double> angles;
    Vec3 base;
    double foot = 0.02;
    for (int i = 0; i < count; i++) {
        int parent, feet;
        Vec3 place, axis, center, inertia, at;
        double mass, angle, stiffness, damping;
        tree >> parent;
        for (Vec3 *v : {&place, &axis}) tree >> (*v)[0] >> (*v)[1] >> (*v)[2];
        tree >> mass;
        for (Vec3 *v : {&center, &inertia}) tree >> (*v)[0] >> (*v)[1] >> (*v)[2];
        tree >> angle >> stiffness >> damping >> feet;
        const Body::Rigid body(MassProperties(mass, center, Inertia(inertia[0], inertia[1], inertia[2]).shiftFromMassCenter(center, mass)));
        if (parent < 0) {
            links.push_back(MobilizedBody::Free(world.matter.Ground(), body));
            base = place;
        } else {
            // a pin turns about z: turn z to the axis
            const Rotation turn = axis[2] != 0 ? Rotation() : axis[0] != 0 ? Rotation(Pi / 2, YAxis) : Rotation(-Pi / 2, XAxis);
            links.push_back(MobilizedBody::Pin(links[parent], Transform(turn, place), body, Transform(turn)));
            Force::MobilityLinearSpring(world.forces, links.back(), MobilizerUIndex(0), stiffness, angle);
            Force::MobilityLinearDamper(world.forces, links.back(), MobilizerUIndex(0), damping);
        }
        angles.push_back(angle);
        for (int k = 0; k < feet; k++) {
            tree >> at[0] >> at[1] >> at[2] >> foot;
            world.contacts.addBody(world.all, links.back(), ContactGeometry::Sphere(foot), Transform(at));
        }
    }
    world.material(1.8e6, foot, 1.5, 0.8, 1e-2); // sinks 0.7 mm under a quarter of the weight, as the linear spring of the others does
    world.system.realizeTopology();
    State start = world.system.getDefaultState();
    links[0].setQToFitTranslation(start, base);
    for (int i = 1; i < count; i++) links[i].setOneQ(start, 0, angles[i]);
    go(world, start, name, accuracy, from, to, 1);
}

int main(int count, char **words) {
    const std::vector<std::string> w(words + 1, words + count);
    try {
        if (w.size() == 4 && w[0] == "sphere")
            sphere(w[1], std::stod(w[2]), std::stoi(w[3]));
        else if (w.size() == 5 && w[0] == "pendulum")
            pendulum(w[1], std::stod(w[2]), std::stod(w[3]), std::stoi(w[4]));
        else if (w.size() == 6 && w[0] == "robot")
            robot(w[1].c_str(), w[2], std::stod(w[3]), std::stod(w[4]), std::stod(w[5]));
        else
            return 2;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
