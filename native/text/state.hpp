// All that a vectorizer knows, as plain arrays from which it can go on learning.
#pragma once
#include "text/features.hpp"
#include "text/tensors.hpp"

namespace hardlimit::text {

// Strings as words_bytes, words_ends, words_columns (runs, chars alike); n-grams of n words as
// pairs<n>_keys and pairs<n>_columns, by number; frequency and idf by column. With hashing
// frequency, idf and the names go with `columns`, those that were met.
Tensors dump_state(const Features &features);

// Into features fresh from the constructor; throws DamagedModel when the arrays contradict
// themselves.
void restore_state(Features &features, const Incoming &tensors, std::uint64_t n_documents);

}  // namespace hardlimit::text
