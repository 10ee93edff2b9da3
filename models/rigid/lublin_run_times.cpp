#include "models/rigid/lublin_run_times.hpp"

#include <algorithm>

#include "engine/foundation/elementary.hpp"
#include "engine/foundation/expect.hpp"

namespace schedfarm::models {

ExpGamma::ExpGamma(double shape, double scale, double limit)
    : gamma_(shape), scale_(scale), kept_(gamma_.probability(limit / scale)) {
    SCHEDFARM_EXPECT(scale > 0 && scale < 1, "the exponential of a gamma value has no mean");
    SCHEDFARM_EXPECT(kept_ > 0, "no value below the limit");
    const double rest = 1 - scale;
    mean_ = engine::exponential(-shape * engine::logarithm(rest))
            * gamma_.probability(rest * limit / scale) / kept_;
}

double ExpGamma::value(double uniform) const {
    return engine::exponential(scale_ * gamma_.quantile(uniform * kept_));
}

double HyperGammaTime::first_share(double p) const {
    const double first = std::clamp(p, 0.0, 1.0) * first_.kept();
    const double second = (1 - std::clamp(p, 0.0, 1.0)) * second_.kept();
    return first / (first + second);
}

double HyperGammaTime::mean(double p) const {
    const double share = first_share(p);
    return share * first_.mean() + (1 - share) * second_.mean();
}

double HyperGammaTime::value(double p, double choice, double uniform) const {
    return choice < first_share(p) ? first_.value(uniform) : second_.value(uniform);
}

}  // namespace schedfarm::models
