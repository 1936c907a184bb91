// Shared pointers to and from Python, where memory may be short: nanobind's own header makes their
// small blocks in functions that must not throw, so that one failed allocation ends the process.
// Here they are made where an exception can leave. A test looks that nobody includes the other.
#pragma once
#include <nanobind/nanobind.h>

#include <memory>
#include <type_traits>

namespace hardlimit {

// Gives up a reference to a Python object, from any thread.
struct Unreferenced {
    PyObject *object;
    void operator()(void *) const noexcept {
        if (!nanobind::is_alive()) return;
        const nanobind::gil_scoped_acquire gil;
        Py_DECREF(object);
    }
};

// A pointer that keeps the Python object which owns `item` alive.
template <class T>
std::shared_ptr<T> share_with_python(T *item, PyObject *owner) {
    if (!item) return {};
    Py_INCREF(owner);  // without memory for its block, the pointer calls what would end it
    return {item, Unreferenced{owner}};
}

// Keeps `pointer` as long as the Python object lives.
inline void tie(PyObject *object, std::unique_ptr<std::shared_ptr<void>> pointer) {
    const auto end = [](void *kept) noexcept { delete static_cast<std::shared_ptr<void> *>(kept); };
    using namespace nanobind::detail;
#if NB_VERSION_MAJOR >= 3
    NB_CALL(keep_alive_ptr)(NB_CTX, object, pointer.release(), end);
#else
    keep_alive(object, pointer.release(), end);
#endif
}

}  // namespace hardlimit

namespace nanobind::detail {

template <class T>
struct type_caster<std::shared_ptr<T>> {
    using Value = std::shared_ptr<T>;
    using Item = std::remove_const_t<T>;
    static constexpr bool IsClass = true;
    static constexpr auto Name = make_caster<T>::Name;
    template <class>
    using Cast = Value;
    template <class>
    static constexpr bool can_cast() {
        return true;
    }

    template <class Flags>
    bool from_python(handle from, Flags flags, cleanup_list *cleanup) noexcept {
        make_caster<T> caster;
        const auto wanted = flags & ~static_cast<Flags>(cast_flags::convert);
        if (!caster.from_python(from, static_cast<Flags>(wanted), cleanup)) return false;
        item_ = caster.operator Item *();
        owner_ = from.ptr();
        return true;
    }

    // The caller holds the object while it casts.
    explicit operator Value() const { return hardlimit::share_with_python<T>(item_, owner_); }

    static handle from_cpp(const Value &value, rv_policy, cleanup_list *) {
        if (!value) return none().release();
        auto *item = const_cast<Item *>(value.get());
        if (object known = find(*item)) return known.release();
        auto kept = std::make_unique<std::shared_ptr<void>>(std::const_pointer_cast<Item>(value));
        object made = nanobind::cast(item, rv_policy::reference);
        hardlimit::tie(made.ptr(), std::move(kept));
        return made.release();
    }

  private:
    Item *item_ = nullptr;
    PyObject *owner_ = nullptr;
};

}  // namespace nanobind::detail
