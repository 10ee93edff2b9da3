// A thin layer over the HDF5 C API: identifiers that close themselves and calls that throw with
// HDF5's own error text. The library prints nothing while a QuietErrors is alive. Not thread-safe:
// HDF5 is built without threads on most systems.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include <hdf5.h>

#include "results_schema/result_io.hpp"

namespace schedfarm::results_schema {

/// An HDF5 call failed; the text says which and why, but not for which file.
class Hdf5Failure : public ResultError {
  public:
    using ResultError::ResultError;
};

/// Keeps HDF5 from printing its error stack; restores the former behaviour at the end.
class QuietErrors {
  public:
    QuietErrors();
    QuietErrors(const QuietErrors&) = delete;
    QuietErrors& operator=(const QuietErrors&) = delete;
    ~QuietErrors();

  private:
    H5E_auto2_t print_ = nullptr;
    void* data_ = nullptr;
};

/// Throws Hdf5Failure "<action>: <the innermost message of HDF5's error stack>".
[[noreturn]] void throw_hdf5_failure(std::string_view action);

/// The result of a call, which is negative when the call failed.
template <typename Result>
Result checked(Result result, std::string_view action) {
    if (result < 0) {
        throw_hdf5_failure(action);
    }
    return result;
}

/// Owns one identifier. REQUIRES: `close` is the function for its kind.
class Handle {
  public:
    using Close = herr_t (*)(hid_t);

    Handle(hid_t id, Close close, std::string_view action)
        : id_(checked(id, action)), close_(close) {}
    Handle(Handle&& other) noexcept
        : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        if (id_ >= 0) {
            close_(id_);
        }
    }

    hid_t id() const { return id_; }
    /// Gives the identifier away.
    hid_t release() { return std::exchange(id_, H5I_INVALID_HID); }

  private:
    hid_t id_;
    Close close_;
};

Handle make_properties(hid_t property_class);
/// For reading or writing `rows` records of a dataset, which have `size` bytes in memory: HDF5
/// takes and clears two buffers of a megabyte for every call unless it is told that fewer bytes do.
Handle make_transfer_properties(hid_t dataset, std::size_t rows, std::size_t size);
/// A text of `size` bytes, its closing NUL included, or of any length with H5T_VARIABLE.
Handle make_text_type(std::size_t size);

}  // namespace schedfarm::results_schema
