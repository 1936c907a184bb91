// Strings, vectors, maps and optional values from Python, where memory may be short: nanobind's own
// headers take them in functions that must not throw, so that one failed allocation ends the
// process. To Python they go as there. A test looks that nobody includes the others.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/stl/detail/nb_dict.h>
#include <nanobind/stl/detail/nb_list.h>
#include <nanobind/stl/detail/nb_optional.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace nanobind::detail {

// What a caster found, moved into `to`; false where it is something else.
template <class T, class Flags, class Take>
bool take_item(handle from, Flags flags, cleanup_list *cleanup, Take take) {
    make_caster<T> caster;
    if (!caster.from_python(from, flags_for_local_caster<T>(flags), cleanup) ||
        !caster.template can_cast<T>())
        return false;
    take(caster.operator cast_t<T>());
    return true;
}

// Null, and no error, where there is none.
inline object unless_error(PyObject *made) {
    if (!made) PyErr_Clear();
    return steal(made);
}

template <>
struct type_caster<std::string> {
    NB_TYPE_CASTER(std::string, const_name("str"))

    template <class Flags>
    bool from_python(handle from, Flags, cleanup_list *) {
        if (!PyUnicode_Check(from.ptr())) return false;
        Py_ssize_t size = 0;
        const char *text = PyUnicode_AsUTF8AndSize(from.ptr(), &size);
        if (!text) {
            PyErr_Clear();
            return false;
        }
        value.assign(text, static_cast<std::size_t>(size));
        return true;
    }

    static handle from_cpp(const std::string &text, rv_policy, cleanup_list *) noexcept {
        return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
    }
};

template <class T, class Allocator>
struct type_caster<std::vector<T, Allocator>> : list_caster<std::vector<T, Allocator>, T> {
    template <class Flags>
    bool from_python(handle from, Flags flags, cleanup_list *cleanup) {
        if (PyUnicode_Check(from.ptr()) || PyBytes_Check(from.ptr()) ||
            !PySequence_Check(from.ptr()))
            return false;
        const object items = unless_error(PySequence_List(from.ptr()));
        if (!items.is_valid()) return false;
        const Py_ssize_t size = PyList_Size(items.ptr());
        this->value.clear();
        this->value.reserve(static_cast<std::size_t>(size));
        for (Py_ssize_t i = 0; i < size; ++i)
            if (!take_item<T>(PyList_GetItem(items.ptr(), i), flags, cleanup, [&](auto &&item) {
                    this->value.push_back(std::forward<decltype(item)>(item));
                }))
                return false;
        return true;
    }
};

template <class Key, class T, class Compare, class Allocator>
struct type_caster<std::map<Key, T, Compare, Allocator>>
    : dict_caster<std::map<Key, T, Compare, Allocator>, Key, T> {
    template <class Flags>
    bool from_python(handle from, Flags flags, cleanup_list *cleanup) {
        if (!PyMapping_Check(from.ptr())) return false;
        const object items = unless_error(PyMapping_Items(from.ptr()));
        if (!items.is_valid()) return false;
        this->value.clear();
        for (Py_ssize_t i = 0; i < PyList_Size(items.ptr()); ++i) {
            PyObject *pair = PyList_GetItem(items.ptr(), i);
            if (!PyTuple_Check(pair) || PyTuple_Size(pair) != 2) return false;
            const auto take = [&](auto &&key) {
                return take_item<T>(PyTuple_GetItem(pair, 1), flags, cleanup, [&](auto &&item) {
                    this->value.emplace(std::forward<decltype(key)>(key),
                                        std::forward<decltype(item)>(item));
                });
            };
            bool good = false;
            if (!take_item<Key>(
                    PyTuple_GetItem(pair, 0), flags, cleanup,
                    [&](auto &&key) { good = take(std::forward<decltype(key)>(key)); }) ||
                !good)
                return false;
        }
        return true;
    }
};

template <class T>
struct remove_opt_mono<std::optional<T>> : remove_opt_mono<T> {};
template <class T>
struct has_arg_defaults<std::optional<T>> : std::true_type {};
template <>
struct type_caster<std::nullopt_t> : none_caster<std::nullopt_t> {};

template <class T>
struct type_caster<std::optional<T>> : optional_caster<std::optional<T>> {
    template <class Flags>
    bool from_python(handle from, Flags flags, cleanup_list *cleanup) {
        if (from.is_none()) {
            this->value.reset();
            return true;
        }
        return take_item<T>(from, flags, cleanup, [&](auto &&item) {
            this->value.emplace(std::forward<decltype(item)>(item));
        });
    }
};

}  // namespace nanobind::detail
