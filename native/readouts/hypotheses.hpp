// Hypotheses that passed by and may answer later: the longest survivor, the pocket with and without
// ratchet, one drawn at random, and the corrections that made all of them, for the vote.
//
// A hypothesis is looked at once, when its life ends, and copied only when it then breaks a record.
// Presentations count from 1; a hypothesis born at presentation b (0 for the weights at the start)
// answers after each of the presentations b .. d-1 when it dies at d.
#pragma once
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "numeric/generator.hpp"
#include "state/zeroed.hpp"

namespace hardlimit {

// A correction as it is logged for the vote: minus is -1 where one output moved alone.
struct LoggedCorrection {
    std::int64_t row, presentation;
    std::int32_t counter, plus, minus;
    double tau, shrink;
};

struct Kept {
    bool wanted = false;
    Zeroed w;
    std::vector<std::int64_t> record;  // per counter; of the random one, all lives so far
};

struct Hypotheses {
    Hypotheses(std::int64_t n_counters, std::uint64_t seed)
        : born(static_cast<std::size_t>(n_counters), 0),
          errors(static_cast<std::size_t>(n_counters), std::numeric_limits<std::int64_t>::max()),
          chance(seed, ~std::uint64_t{0}) {
        for (Kept *kept : {&longest, &pocket, &ratchet, &random})
            kept->record.assign(static_cast<std::size_t>(n_counters), kept == &ratchet ? 0 : -1);
    }

    Kept longest, pocket, ratchet, random;
    bool logged = false;
    std::vector<std::int64_t> born;
    std::vector<std::int64_t> errors;  // of the ratchet's best, per counter
    std::vector<LoggedCorrection> log;
    Generator chance;

    Kept &named(const std::string &name) {
        if (name == "longest") return longest;
        if (name == "pocket") return pocket;
        if (name == "pocket-ratchet") return ratchet;
        if (name == "random") return random;
        throw std::invalid_argument(
            "a kept hypothesis is longest, pocket, pocket-ratchet or random");
    }
};

}  // namespace hardlimit
