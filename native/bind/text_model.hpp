// What bind/text.cpp asks of bind/text_model.cpp.
#pragma once
#include <nanobind/nanobind.h>

#include "text/features.hpp"

namespace hardlimit {

void bind_frozen(nanobind::class_<text::Features> &features);
void bind_scorer(nanobind::module_ &module);

}  // namespace hardlimit
