// Time of one call of Pinocchio's forward dynamics: pinocchio_aba MODEL.txt ... (models saved by its Python module)
// Prints "FILE CONVENTION MICROSECONDS", the median of 21 batches.
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/serialization.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

static double seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

int main(int count, char **files) {
    using namespace pinocchio;
    for (int i = 1; i < count; i++) {
        Model model;
        model.loadFromText(files[i]);
        Data data(model);
        Eigen::VectorXd q = neutral(model), v = Eigen::VectorXd::Constant(model.nv, 0.1);
        Eigen::VectorXd effort = Eigen::VectorXd::Zero(model.nv);
        for (Convention convention : {Convention::LOCAL, Convention::WORLD}) {
            std::vector<double> times;
            for (int batch = 0; batch < 21; batch++) {
                const int calls = 5000;
                const double start = seconds();
                for (int k = 0; k < calls; k++) {
                    q[7] += 1e-9; // a new state each time
                    aba(model, data, q, v, effort, convention);
                }
                times.push_back((seconds() - start) / calls * 1e6);
            }
            std::sort(times.begin(), times.end());
            std::printf("%s %s %.4f\n", files[i], convention == Convention::LOCAL ? "local" : "world", times[10]);
        }
    }
}
