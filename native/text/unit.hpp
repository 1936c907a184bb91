// Documents on their way through the stages of learning_line.hpp.
#pragma once
#include <deque>
#include <vector>

#include "text/lowered.hpp"
#include "text/rows.hpp"

namespace hardlimit::text {

struct Unit {
    // Makes it empty and ready for n-grams of up to so many words.
    void begin(Documents of, std::size_t n_words, std::size_t n_sizes) {
        documents = of;
        replaced = 0;
        words.clear();
        if (lowered.size() < of.size()) lowered.resize(of.size());
        ids.resize(n_words);
        columns.resize(n_words);
        sizes.assign(n_sizes, 0);
        for (auto *all : {&ids, &columns})
            for (Columns &one : *all) one.clear();
        for (Columns *one : {&runs, &chars}) one->clear();
        for (Growing<std::uint64_t> *ends : {&word_ends, &run_ends, &char_ends}) ends->clear();
        rows.clear();
    }

    // A word that was cut: its key, and where it stands.
    struct Word {
        std::uint64_t key;
        const Byte *at;
        std::size_t size;
    };

    Documents documents;
    std::deque<Lowered> lowered;  // one for each document, or more
    Growing<Word> words;
    std::uint64_t replaced = 0;  // code points
    // Of words, and of the n-grams that end at each word, one document after the other: their
    // numbers and their columns, these only of lengths that have columns.
    std::vector<Columns> ids, columns;                      // n = 1, 2, ...
    Columns runs, chars;                                    // columns
    Growing<std::uint64_t> word_ends, run_ends, char_ends;  // of each document
    std::vector<std::size_t> sizes;  // of the vocabulary when these documents are learnt
    Rows rows;
};

}  // namespace hardlimit::text
