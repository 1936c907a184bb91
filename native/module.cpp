// The one extension module: each part of native/ binds itself from its own file in native/bind/.
#include <nanobind/nanobind.h>

#include <exception>
#include <new>

#include "bind/parts.hpp"

namespace {

// A sentence in place of the C++ name of the failure.
void say_out_of_memory(const std::exception_ptr &thrown, void *) {
    try {
        std::rethrow_exception(thrown);
    } catch (const std::bad_alloc &) {
        PyErr_SetString(PyExc_MemoryError,
                        "out of memory: the system gave no more; fewer columns, classes or "
                        "examples at a time need less");
    }
}

}  // namespace

NB_MODULE(_native, module) {
    nanobind::register_exception_translator(say_out_of_memory);
    module.doc() = "Compiled loops of hardlimit; use hardlimit.engine and hardlimit.text instead.";
    hardlimit::bind_interpreter(module);
    hardlimit::bind_engine(module);
    hardlimit::bind_numeric(module);
    hardlimit::bind_text(module);
    hardlimit::bind_joined_columns(module);
    hardlimit::bind_digest(module);
    hardlimit::bind_mail(module);
    hardlimit::bind_readers(module);
    hardlimit::bind_live(module);
    hardlimit::bind_cache(module);
    hardlimit::bind_counting(module);
}
