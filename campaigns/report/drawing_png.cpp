// Pictures in the Portable Network Graphics format (ISO/IEC 15948): true colour, 8 bits, rows
// without a filter, compressed by zlib.
#include <algorithm>
#include <cmath>

#include <zlib.h>

#include "engine/foundation/expect.hpp"

#include "campaigns/report/drawing.hpp"
#include "campaigns/report/pixel_font.hpp"

namespace schedfarm::campaigns {

namespace {

constexpr std::size_t channels = 3;
constexpr double size_of_double_glyphs = 14;  // of a label

/// Where an extent begins and ends on whole pixels, and how much of it is covered.
struct Pixels {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    double coverage = 1;
};

Pixels pixels(double from, double length, std::uint32_t limit) {
    Pixels result{.begin = std::llround(from), .end = std::llround(from + length)};
    if (result.begin == result.end) {
        result.begin = std::llround(std::floor(from));
        result.end = result.begin + 1;
        result.coverage = std::min(length, 1.0);
    }
    result.begin = std::clamp<std::int64_t>(result.begin, 0, limit);
    result.end = std::clamp<std::int64_t>(result.end, 0, limit);
    return result;
}

class Picture {
  public:
    /// Each row is preceded by its filter, 0: none.
    Picture(std::uint32_t width, std::uint32_t height)
        : width_(width), height_(height), bytes_(height * stride(), '\xff') {
        for (std::size_t row = 0; row < height; ++row) {
            bytes_[row * stride()] = '\0';
        }
    }

    void paint(const Box& box) {
        const Pixels across = pixels(box.x, box.width, width_);
        const Pixels down = pixels(box.y, box.height, height_);
        const double coverage = across.coverage * down.coverage;
        for (std::int64_t y = down.begin; y < down.end; ++y) {
            for (std::int64_t x = across.begin; x < across.end; ++x) {
                blend(x, y, box.fill, coverage);
            }
        }
    }

    void paint(const Label& label) {
        const int scale = label.size >= size_of_double_glyphs ? 2 : 1;
        std::string text;  // one byte per character of UTF-8
        for (const char character : label.text) {
            const auto byte = static_cast<unsigned char>(character);
            if ((byte & 0xc0U) != 0x80U) {
                text += byte < 128 ? character : '?';
            }
        }
        const double length = scale * (glyph_advance * static_cast<double>(text.size()) - 1);
        const double share =
            label.anchor == Anchor::start ? 0 : (label.anchor == Anchor::middle ? 0.5 : 1);
        double x = std::round(label.x - share * length);
        for (const char character : text) {
            paint_glyph(character, x, std::round(label.y), scale, label.colour);
            x += scale * glyph_advance;
        }
    }

    const std::string& bytes() const { return bytes_; }

  private:
    std::size_t stride() const { return 1 + channels * std::size_t{width_}; }

    void paint_glyph(char character, double x, double y, int scale, Colour colour) {
        const auto& columns = glyph(character);
        for (int column = 0; column < glyph_width; ++column) {
            for (int row = 0; row <= glyph_rise; ++row) {
                if (((columns.at(static_cast<std::size_t>(column)) >> row) & 1) != 0) {
                    paint(Box{
                        x + scale * column,
                        y + scale * (row - glyph_rise),
                        1.0 * scale,
                        1.0 * scale,
                        colour,
                        {}});
                }
            }
        }
    }

    void blend(std::int64_t x, std::int64_t y, Colour colour, double coverage) {
        const std::size_t at =
            static_cast<std::size_t>(y) * stride() + 1 + channels * static_cast<std::size_t>(x);
        const auto mix = [this, coverage](std::size_t place, std::uint8_t wanted) {
            const auto present = static_cast<unsigned char>(bytes_[place]);
            const double value = present + coverage * (wanted - present);
            bytes_[place] = static_cast<char>(std::lround(value));
        };
        mix(at, colour.red);
        mix(at + 1, colour.green);
        mix(at + 2, colour.blue);
    }

    std::uint32_t width_;
    std::uint32_t height_;
    std::string bytes_;
};

const Bytef* as_bytes(const std::string& text) {
    return reinterpret_cast<const Bytef*>(text.data());  // NOLINT: zlib's idea of characters
}

void append_word(std::string& bytes, std::uint64_t word) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        bytes += static_cast<char>((word >> shift) & 0xffU);
    }
}

void append_chunk(std::string& bytes, const std::string& type, const std::string& data) {
    append_word(bytes, data.size());
    const std::string checked = type + data;
    bytes += checked;
    append_word(bytes, crc32(0, as_bytes(checked), static_cast<uInt>(checked.size())));
}

std::string compressed(const std::string& bytes) {
    uLongf size = compressBound(bytes.size());
    std::string result(size, '\0');
    auto* to = reinterpret_cast<Bytef*>(result.data());  // NOLINT: zlib's idea of characters
    const int done = compress2(to, &size, as_bytes(bytes), bytes.size(), Z_DEFAULT_COMPRESSION);
    SCHEDFARM_EXPECT(done == Z_OK, "zlib did not take the whole picture");
    result.resize(size);
    return result;
}

}  // namespace

std::string png_bytes(const Drawing& drawing) {
    Picture picture(drawing.width, drawing.height);
    for (const Box& box : drawing.boxes) {
        picture.paint(box);
    }
    for (const Label& label : drawing.labels) {
        picture.paint(label);
    }
    std::string header;
    append_word(header, drawing.width);
    append_word(header, drawing.height);
    header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, true colour, no interlacing
    std::string bytes = "\x89PNG\r\n\x1a\n";
    append_chunk(bytes, "IHDR", header);
    append_chunk(bytes, "IDAT", compressed(picture.bytes()));
    append_chunk(bytes, "IEND", "");
    return bytes;
}

}  // namespace schedfarm::campaigns
