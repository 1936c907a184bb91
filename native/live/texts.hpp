// Texts to rows for corrections: the base's features, and terms that the base does not know.
//
// New terms are single words ("w" before the name) and runs of scripts without spaces ("r"). Their
// value depends on the base and the text alone, and no other feature's value on them: so the base's
// score stays what it is, and a row is the same before and after any correction.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "live/overlay.hpp"
#include "text/scorer.hpp"

namespace hardlimit::live {

class TextRows {
  public:
    // A hostile text has no more of them.
    static constexpr std::size_t most_new_terms = 4096;

    TextRows(const text::Scorer &scorer, bool grows, const text::Pause &pause = {})
        : scorer_(scorer), grows_(grows && scorer.takes_new_terms()), session_(scorer, pause) {}

    // The row of a text. With `learn`, terms that nobody knows are added to `terms`; otherwise they
    // are left out.
    void read(const text::Source &source, Terms &terms, bool learn, double bias, Row &row) {
        row.keys.clear();
        row.values.clear();
        const auto &features = session_.features(source);
        for (const text::Feature &feature : features) row.add(feature.column, feature.value());
        row.n_columns = features.size();
        row.base.resize(scorer_.n_outputs());
        session_.scores(row.base.data());
        row.n_new = row.n_words = row.n_unknown = 0;
        if (grows_ && learn && !session_.n_unknown())
            row.n_words = session_.n_words();
        else if (grows_ && session_.n_unknown() && (learn || terms.size()))
            add_new(terms, learn, row);
        if (bias > 0) row.add(of_bias, bias);
    }

  private:
    struct Met {
        std::uint32_t term, place;
    };

    void add_new(Terms &terms, bool learn, Row &row) {
        met_.clear();
        std::size_t added = 0;
        const auto note = [&](char kind, const text::Byte *at, std::size_t size) {
            if (size > Terms::longest) return;
            // What most words are not, and what most of the others are.
            if (!learn && !terms.may_have(at, size)) return;
            if (learn) {
                ++row.n_words;
                if (scorer_.knows(kind == 'w', at, size)) return;
                ++row.n_unknown;
            }
            name_.assign(1, kind);
            name_.append(reinterpret_cast<const char *>(at), size);
            std::uint32_t term = terms.find(name_);
            if (term == Terms::none) {
                if (!learn || added >= most_new_terms) return;
                term = terms.find_or_add(name_);
                ++added;
            }
            met_.push_back({term, static_cast<std::uint32_t>(met_.size())});
        };
        const text::Lowered &lowered = session_.lowered();
        text::cut_kept_words(lowered, scorer_.stop_words(),
                             [&](const text::Byte *at, std::size_t size) { note('w', at, size); });
        if (lowered.has_unspaced())
            text::cut_runs(lowered,
                           [&](const text::Byte *at, std::size_t size) { note('r', at, size); });
        count(row);
    }

    // One key a term, in the order of first appearance, with the value of its count.
    void count(Row &row) {
        std::sort(met_.begin(), met_.end(), [](const Met &a, const Met &b) {
            return a.term != b.term ? a.term < b.term : a.place < b.place;
        });
        counted_.clear();
        for (std::size_t i = 0; i < met_.size();) {
            const std::size_t first = i;
            while (i < met_.size() && met_[i].term == met_[first].term) ++i;
            counted_.push_back({met_[first], static_cast<std::uint32_t>(i - first)});
        }
        std::sort(counted_.begin(), counted_.end(),
                  [](const auto &a, const auto &b) { return a.first.place < b.first.place; });
        if (counted_.size() > most_new_terms) counted_.resize(most_new_terms);
        for (const auto &[met, times] : counted_)
            row.add(new_term | met.term, scorer_.new_value(times, session_.length()));
        row.n_new = counted_.size();
    }

    const text::Scorer &scorer_;
    bool grows_;
    text::Scorer::Session session_;
    std::vector<Met> met_;
    std::vector<std::pair<Met, std::uint32_t>> counted_;
    std::string name_;
};

}  // namespace hardlimit::live
