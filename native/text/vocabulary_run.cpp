#include "text/vocabulary_run.hpp"

#include <cstring>

namespace hardlimit::text {
namespace {

// Learning that notes each new term, so that all can be gone through in their order.
class Noting : public Learning {
  public:
    explicit Noting(VocabularyRun &run) : Learning(run.vocabulary), run_(run) {}

    HARDLIMIT_INLINE Found word(std::uint64_t key, const Byte *at, std::size_t size) {
        const Found found = Learning::word(key, at, size);
        return note(run_.words, key, found);
    }
    HARDLIMIT_INLINE Found pair(int n, std::uint64_t key) {
        const Found found = Learning::pair(n, key);
        return note(run_.levels[n - 2], key, found);
    }
    HARDLIMIT_INLINE Found string(Strings kind, std::uint64_t key, const Byte *at,
                                  std::size_t size) {
        const Found found = Learning::string(kind, key, at, size);
        return note(run_.terms(kind), key, found);
    }

  private:
    HARDLIMIT_INLINE static Found note(RunTerms &terms, std::uint64_t key, Found found) {
        if (found.id == terms.size()) terms.push({key, found.column});
        return found;
    }
    VocabularyRun &run_;
};

}  // namespace

void VocabularyRun::count(Documents documents, const Settings &settings, Pause pause) {
    make_room(documents);
    Lowered lowered;
    Noting lookup(*this);
    Walk<Noting> walker(settings, lookup, std::move(pause));
    for (const Source &document : documents) {
        lowered.assign(document);
        const std::size_t first = tokens.size();
        walker.document(lowered, tokens);
        count_document(first);
        replaced += lowered.replaced();
    }
}

// What will take megabytes lies on large pages from the beginning: a thread that has just begun
// owns no memory that was used before, and each small page is a call of the system.
void VocabularyRun::make_room(Documents documents) {
    constexpr std::size_t many_bytes = std::size_t(1) << 20;
    std::size_t n_bytes = 0;
    for (const Source &document : documents) n_bytes += document.size;
    if (n_bytes < many_bytes) return;
    tokens.lie_large();
    columns.lie_large();
    for (RunTerms &terms : levels) terms.lie_large();
    for (Ids &ids : level_ids) ids.lie_large();
}

// The counts are spread over megabytes: asked for ahead.
void VocabularyRun::count_document(std::size_t first) {
    constexpr std::size_t ahead = 16;
    met.resize(std::max<std::size_t>(met.size(), vocabulary.n_columns));
    Met *const of = met.data();
    const std::uint32_t *const columns = tokens.data();
    const auto number = static_cast<std::uint32_t>(n_documents() + 1);
    const std::size_t end = tokens.size();
    std::uint32_t n_different = 0;
    for (std::size_t i = first; i < end; ++i) {
        prefetch(of + columns[std::min(i + ahead, end - 1)]);
        Met &here = of[columns[i]];
        const std::uint32_t is_new = here.last != number;
        here = {number, here.n + is_new};
        n_different += is_new;
    }
    ends.push(end);
    sizes.push(n_different);
}

void VocabularyRun::clear() noexcept {
    const std::size_t n_met = std::min<std::size_t>(met.size(), vocabulary.n_columns);
    if (n_met) std::memset(static_cast<void *>(met.data()), 0, n_met * sizeof(Met));
    vocabulary.clear();
    for (RunTerms *terms : {&words, &runs, &chars}) terms->clear();
    for (RunTerms &terms : levels) terms.clear();
    for (Ids *ids : {&word_ids, &run_ids, &char_ids}) ids->clear();
    for (Ids &ids : level_ids) ids.clear();
    columns.clear();
    tokens.clear();
    ends.clear();
    sizes.clear();
    replaced = 0;
}

}  // namespace hardlimit::text
