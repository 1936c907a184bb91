// A vocabulary that was learnt elsewhere, added to one that has learnt the texts before.
#pragma once
#include "text/features.hpp"
#include "text/tensors.hpp"

namespace hardlimit::text {

// `state` is what `dump_state` gives of the other. Afterwards everything is numbered, by first
// appearance, and counted as if one vocabulary had learnt these texts behind its own. Terms get no
// idf. Throws DamagedModel where the arrays contradict themselves.
//
// Cost: a search for each term of the other, of new ones two.
void absorb_state(Features &features, const Incoming &state, std::uint64_t n_documents);

}  // namespace hardlimit::text
