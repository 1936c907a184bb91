// The read-outs that look at hypotheses while the loops run, by the names that Python uses.
#include <map>

#include "readouts/longest.hpp"
#include "readouts/pocket.hpp"
#include "readouts/pocket_ratchet.hpp"
#include "readouts/random.hpp"
#include "readouts/tail_averaged.hpp"
#include "readouts/voted.hpp"

namespace hardlimit {
namespace {

template <class R>
std::unique_ptr<Readout> make_readout_of(std::int64_t n_counters, std::uint64_t seed) {
    return std::make_unique<R>(n_counters, seed);
}

using ReadoutMaker = std::unique_ptr<Readout> (*)(std::int64_t, std::uint64_t);

const std::map<std::string, ReadoutMaker> readout_makers{
    {"longest", make_readout_of<Longest>},
    {"pocket", make_readout_of<Pocket>},
    {"pocket-ratchet", make_readout_of<PocketRatchet>},
    {"random", make_readout_of<RandomHypothesis>},
    {"tail-averaged", make_readout_of<TailAveraged>},
    {"voted", make_readout_of<Voted>},
};

}  // namespace

std::unique_ptr<Readout> make_readout(const std::string &name, std::int64_t n_counters,
                                      std::uint64_t seed) {
    const auto found = readout_makers.find(name);
    return found == readout_makers.end() ? nullptr : found->second(n_counters, seed);
}

std::string readout_names() {
    std::string names;
    for (const auto &maker : readout_makers) names += (names.empty() ? "" : ", ") + maker.first;
    return names;
}

}  // namespace hardlimit
