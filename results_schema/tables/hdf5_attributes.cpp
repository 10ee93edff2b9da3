#include "results_schema/tables/hdf5_attributes.hpp"

#include <cstring>

#include "results_schema/tables/stored_text.hpp"

namespace schedfarm::results_schema {

namespace {

enum class Shape : std::uint8_t { scalar, list };

/// An attribute that was opened, with its type and space.
struct OpenAttribute {
    Handle attribute;
    Handle type;
    Handle space;

    bool has_shape(Shape shape) const {
        const H5S_class_t kind = H5Sget_simple_extent_type(space.id());
        return shape == Shape::scalar
                   ? kind == H5S_SCALAR
                   : kind == H5S_SIMPLE && H5Sget_simple_extent_ndims(space.id()) == 1;
    }
    std::size_t elements() const {
        return static_cast<std::size_t>(
            checked(H5Sget_simple_extent_npoints(space.id()), "attribute size")
        );
    }
    H5T_class_t type_class() const { return H5Tget_class(type.id()); }
    bool is_64_bit(H5T_class_t wanted) const {
        return type_class() == wanted && H5Tget_size(type.id()) == 8;
    }
};

std::optional<OpenAttribute> open(hid_t object, const std::string& name) {
    if (checked(H5Aexists(object, name.c_str()), name) == 0) {
        return std::nullopt;
    }
    Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, name);
    Handle type(H5Aget_type(attribute.id()), H5Tclose, name);
    Handle space(H5Aget_space(attribute.id()), H5Sclose, name);
    return OpenAttribute{std::move(attribute), std::move(type), std::move(space)};
}

std::vector<std::string> variable_texts(const OpenAttribute& open, const std::string& name) {
    std::vector<char*> characters(open.elements(), nullptr);
    checked(H5Aread(open.attribute.id(), open.type.id(), characters.data()), name);
    std::vector<std::string> texts;
    texts.reserve(characters.size());
    for (const char* text : characters) {
        texts.push_back(stored_text(text == nullptr ? "" : text));
    }
    checked(
        H5Dvlen_reclaim(
            open.type.id(), open.space.id(), H5P_DEFAULT, static_cast<void*>(characters.data())
        ),
        name
    );
    return texts;
}

std::vector<std::string> fixed_texts(const OpenAttribute& open, const std::string& name) {
    const std::size_t size = H5Tget_size(open.type.id());
    std::vector<char> characters(open.elements() * size);
    checked(H5Aread(open.attribute.id(), open.type.id(), characters.data()), name);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < open.elements(); ++i) {
        const char* text = characters.data() + i * size;
        texts.push_back(stored_text({text, ::strnlen(text, size)}));
    }
    return texts;
}

std::optional<std::vector<std::string>> texts_of(
    hid_t object, const std::string& name, Shape shape
) {
    const auto found = open(object, name);
    if (!found || found->type_class() != H5T_STRING || !found->has_shape(shape)) {
        return std::nullopt;
    }
    return H5Tis_variable_str(found->type.id()) > 0 ? variable_texts(*found, name)
                                                    : fixed_texts(*found, name);
}

herr_t take_name(hid_t /*object*/, const char* name, const H5A_info_t* /*info*/, void* names) {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
}

}  // namespace

std::optional<std::string> read_text(hid_t object, const std::string& name) {
    auto texts = texts_of(object, name, Shape::scalar);
    if (!texts) {
        return std::nullopt;
    }
    return std::move(texts->front());
}

std::optional<std::vector<std::string>> read_texts(hid_t object, const std::string& name) {
    return texts_of(object, name, Shape::list);
}

std::optional<std::vector<std::int64_t>> read_integers(hid_t object, const std::string& name) {
    const auto found = open(object, name);
    if (!found || !found->is_64_bit(H5T_INTEGER) || !found->has_shape(Shape::list)) {
        return std::nullopt;
    }
    std::vector<std::int64_t> integers(found->elements());
    checked(H5Aread(found->attribute.id(), H5T_NATIVE_INT64, integers.data()), name);
    return integers;
}

std::optional<Attribute> read_scalar(hid_t object, const std::string& name) {
    if (auto text = read_text(object, name)) {
        return Attribute{stored_text(name), std::move(*text), ""};
    }
    const auto found = open(object, name);
    if (!found || !found->has_shape(Shape::scalar)) {
        return std::nullopt;
    }
    if (found->is_64_bit(H5T_INTEGER)) {
        std::int64_t integer = 0;
        checked(H5Aread(found->attribute.id(), H5T_NATIVE_INT64, &integer), name);
        return Attribute{stored_text(name), integer, ""};
    }
    if (found->is_64_bit(H5T_FLOAT)) {
        double real = 0;
        checked(H5Aread(found->attribute.id(), H5T_NATIVE_DOUBLE, &real), name);
        return Attribute{stored_text(name), real, ""};
    }
    return std::nullopt;
}

std::vector<std::string> attribute_names(hid_t object) {
    std::vector<std::string> names;
    checked(
        H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, take_name, &names), "attributes"
    );
    return names;
}

}  // namespace schedfarm::results_schema
