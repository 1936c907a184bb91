// What module.cpp asks of the files in native/bind/: one function a part.
#pragma once
#include <nanobind/nanobind.h>

namespace hardlimit {

void bind_engine(nanobind::module_ &module);
void bind_numeric(nanobind::module_ &module);
void bind_text(nanobind::module_ &module);
void bind_joined_columns(nanobind::module_ &module);
void bind_digest(nanobind::module_ &module);
void bind_mail(nanobind::module_ &module);
void bind_readers(nanobind::module_ &module);
void bind_cache(nanobind::module_ &module);
void bind_counting(nanobind::module_ &module);
void bind_interpreter(nanobind::module_ &module);
void bind_model_lock(nanobind::module_ &module);
void bind_live(nanobind::module_ &module);

}  // namespace hardlimit
