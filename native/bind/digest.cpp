// The door to digests: the functions that write them, and CheckedBuffer, which checks on touch.

#include <algorithm>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bind/containers.hpp"
#include "bind/parts.hpp"
#include "bind/shared_pointer.hpp"
#include "bind/unlocked.hpp"
#include "model_file/checked_bytes.hpp"

namespace nb = nanobind;

namespace hardlimit {
namespace {

// A contiguous Python buffer, held until the last user lets go, whichever thread that is.
class HeldBuffer {
  public:
    explicit HeldBuffer(nb::handle source) {
        if (PyObject_GetBuffer(source.ptr(), &view_, PyBUF_SIMPLE)) throw nb::python_error();
    }
    ~HeldBuffer() {
        if (!nb::is_alive()) return;
        nb::gil_scoped_acquire gil;
        PyBuffer_Release(&view_);
    }
    HeldBuffer(const HeldBuffer &) = delete;
    HeldBuffer &operator=(const HeldBuffer &) = delete;

    const unsigned char *bytes() const { return static_cast<const unsigned char *>(view_.buf); }
    std::size_t size() const { return static_cast<std::size_t>(view_.len); }

  private:
    Py_buffer view_;
};

std::uint64_t digest_of(nb::handle buffer) {
    const HeldBuffer held(buffer);
    Unlocked released;
    return digest(held.bytes(), held.size());
}

std::vector<std::uint64_t> digests_of_blocks(nb::handle buffer) {
    const HeldBuffer held(buffer);
    Unlocked released;
    std::vector<std::uint64_t> digests;
    for (std::size_t at = 0; at < held.size(); at += digest_block_size)
        digests.push_back(digest(held.bytes() + at, std::min(digest_block_size, held.size() - at)));
    return digests;
}

std::shared_ptr<CheckedBytes> checked_buffer(std::string name, nb::handle buffer,
                                             std::optional<std::vector<std::uint64_t>> digests) {
    const auto held = std::make_shared<HeldBuffer>(buffer);
    if (!digests)
        return std::make_shared<CheckedBytes>(std::move(name), held->bytes(), held->size(), held);
    return std::make_shared<CheckedBytes>(std::move(name), held->bytes(), held->size(), held,
                                          std::move(*digests));
}

void raise_as_model_file_error(const std::exception_ptr &thrown, void *) {
    try {
        std::rethrow_exception(thrown);
    } catch (const DamagedModel &damage) {
        const nb::object error =
            nb::module_::import_("hardlimit.exceptions").attr("ModelFileError");
        PyErr_SetString(error.ptr(), damage.what());
    }
}

}  // namespace

void bind_digest(nb::module_ &module) {
    nb::register_exception_translator(raise_as_model_file_error);

    module.attr("DIGEST_BLOCK_SIZE") = digest_block_size;
    module.def("digest", &digest_of, nb::arg("buffer"),
               "The 64-bit digest of the bytes of ``buffer`` (docs/model-format.md).");
    module.def("block_digests", &digests_of_blocks, nb::arg("buffer"),
               "The digest of every block of 1 MiB of ``buffer``, in order.");

    nb::class_<CheckedBytes>(module, "CheckedBuffer",
                             "The bytes of one tensor, each block verified when first touched.")
        .def(nb::new_(&checked_buffer), nb::arg("name"), nb::arg("buffer"),
             nb::arg("digests") = nb::none(),
             "``digests``: one number a block of 1 MiB; None trusts the bytes.")
        .def_prop_ro("name", &CheckedBytes::name)
        .def_prop_ro("n_blocks", &CheckedBytes::n_blocks)
        .def_prop_ro("n_blocks_seen", &CheckedBytes::n_blocks_seen)
        .def("__len__", &CheckedBytes::size)
        .def(
            "read",
            [](const CheckedBytes &self, std::size_t first, std::size_t count) {
                const unsigned char *bytes = self.range(first, count);
                return nb::bytes(bytes, count);
            },
            nb::arg("first"), nb::arg("count"), "A copy of some bytes, verified.")
        .def("verify", &CheckedBytes::verify, nb::call_guard<Unlocked>(),
             "Compare every block with its digest; raises ModelFileError on damage.");
}

}  // namespace hardlimit
