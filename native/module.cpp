// The one extension module: each part of native/ binds itself from its own file in native/bind/.
#include <nanobind/nanobind.h>

#include "bind/parts.hpp"

NB_MODULE(_native, module) {
    module.doc() = "Compiled loops of hardlimit; use hardlimit.engine and hardlimit.text instead.";
    hardlimit::bind_interpreter(module);
    hardlimit::bind_engine(module);
    hardlimit::bind_text(module);
    hardlimit::bind_digest(module);
}
