#include "results_schema/tables/hdf5_handle.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "results_schema/tables/stored_text.hpp"

namespace schedfarm::results_schema {

namespace {

constexpr std::size_t most_transfer_bytes = std::size_t{1} << 20;  // HDF5's own choice

herr_t take_first(unsigned /*position*/, const H5E_error2_t* error, void* text) {
    auto& result = *static_cast<std::string*>(text);
    if (result.empty() && error->desc != nullptr) {
        result = error->desc;
    }
    return 0;
}

}  // namespace

QuietErrors::QuietErrors() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietErrors::~QuietErrors() {
    H5Eset_auto2(H5E_DEFAULT, print_, data_);
}

void throw_hdf5_failure(std::string_view action) {
    std::string text;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take_first, &text);
    H5Eclear2(H5E_DEFAULT);
    throw Hdf5Failure(
        stored_text(fmt::format("{}: {}", action, text.empty() ? "no reason given" : text))
    );
}

Handle make_properties(hid_t property_class) {
    return {H5Pcreate(property_class), H5Pclose, "property list"};
}

Handle make_transfer_properties(hid_t dataset, std::size_t rows, std::size_t size) {
    const Handle stored(H5Dget_type(dataset), H5Tclose, "type");
    const std::size_t record = std::max(size, H5Tget_size(stored.id()));  // one must fit
    const std::size_t most = std::max<std::size_t>(1, most_transfer_bytes / record);
    Handle properties = make_properties(H5P_DATASET_XFER);
    const std::size_t bytes = record * std::clamp<std::size_t>(rows, 1, most);
    checked(H5Pset_buffer(properties.id(), bytes, nullptr, nullptr), "buffer");
    return properties;
}

Handle make_text_type(std::size_t size) {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
    checked(H5Tset_size(type.id(), size), "text type");
    checked(H5Tset_cset(type.id(), H5T_CSET_UTF8), "text type");
    return type;
}

}  // namespace schedfarm::results_schema
