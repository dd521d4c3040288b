// SPDX-License-Identifier: Apache-2.0
#include "io/particle_file.h"

#include <bit>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "io/whole_file.h"

namespace spindrift {
namespace {

static_assert(std::endian::native == std::endian::little, "the file says little_endian");

constexpr std::array<std::string_view, 3> kPlace{"x", "y", "z"}, kVelocity{"vx", "vy", "vz"}, kVector{"_x", "_y", "_z"};
constexpr std::string_view kElement = "element vertex ", kFloat = "property float ", kEnd = "end_header\n",
                           kNextId = "comment next id ";

// Of a vector attribute's component as a property.
std::string component_name(const std::string& attribute, std::size_t axis) {
    return attribute == "velocity" ? std::string(kVelocity[axis]) : attribute + std::string(kVector[axis]);
}

struct Property {
    std::string name;
    std::size_t axis = 0;
    std::size_t attribute = 0;  // of the list; kIsPlace: the place
    bool is_stored = true;      // not the third component in 2D, which is zero
};
constexpr std::size_t kIsPlace = ~std::size_t{0};

// Properties that are floats, in the order of the file.
template <int Dim>
std::vector<Property> properties_of(const ParticleList<Dim>& particles) {
    std::vector<Property> list;
    for (std::size_t a = 0; a < 3; ++a) list.push_back({std::string(kPlace[a]), a, kIsPlace, a < Dim});
    for (std::size_t n = 0; n < particles.attributes.size(); ++n) {
        const auto& attribute = particles.attributes[n];
        if (attribute.component.size() == 1)
            list.push_back({attribute.name, 0, n, true});
        else
            for (std::size_t a = 0; a < 3; ++a) list.push_back({component_name(attribute.name, a), a, n, a < Dim});
    }
    return list;
}

template <class List>
auto& column_of(List& particles, const Property& property) {
    return property.attribute == kIsPlace ? particles.position[property.axis]
                                          : particles.attributes[property.attribute].component[property.axis];
}

std::size_t row_bytes(const std::vector<Property>& properties) {
    return properties.size() * sizeof(float) + sizeof(std::uint32_t);
}

std::string header(std::size_t count, std::size_t next_id, const std::vector<Property>& properties) {
    std::string text = "ply\nformat binary_little_endian 1.0\ncomment metres, metres per second\n";
    if (next_id > 0) text += fmt::format("{}{}\n", kNextId, next_id);
    text += fmt::format("{}{}\n", kElement, count);
    for (const Property& property : properties) text += fmt::format("{}{}\n", kFloat, property.name);
    return text + "property uint id\n" + std::string(kEnd);
}

// A list without particles that has the attributes a header names.
template <int Dim>
ParticleList<Dim> with_attributes_of(std::string_view text) {
    std::vector<std::string_view> names;
    for (std::size_t at = text.find(kFloat); at != std::string_view::npos; at = text.find(kFloat, at + 1)) {
        const std::string_view rest = text.substr(at + kFloat.size());
        names.push_back(rest.substr(0, rest.find('\n')));
    }
    ParticleList<Dim> list;
    for (std::size_t n = kPlace.size(); n < names.size();) {
        const std::string_view name = names[n];
        const bool is_vector = name == kVelocity[0] || name.ends_with(kVector[0]);
        if (name == kVelocity[0])
            list.add_attribute("velocity", Dim);
        else
            list.add_attribute(std::string(is_vector ? name.substr(0, name.size() - kVector[0].size()) : name),
                               is_vector ? Dim : 1);
        n += is_vector ? 3 : 1;
    }
    return list;
}

// The number behind a word of the header, or 0.
std::size_t number_in(std::string_view text, std::string_view word) {
    std::size_t number = 0;
    if (const std::size_t at = text.find(word); at != std::string_view::npos)
        std::from_chars(text.data() + at + word.size(), text.data() + text.size(), number);
    return number;
}

}  // namespace

template <int Dim>
void round_as_in_file(ParticleList<Dim>& particles) {
    for_each_column(particles, [](const std::string&, auto& values) {
        if constexpr (std::is_floating_point_v<std::remove_cvref_t<decltype(values[0])>>)
            for (auto& value : values) value = static_cast<float>(value);
    });
}

template <int Dim>
Result<void> write_particles(const std::filesystem::path& file, const ParticleList<Dim>& particles) {
    const std::vector<Property> properties = properties_of(particles);
    std::string bytes = header(particles.count(), particles.next_id, properties);
    std::size_t at = bytes.size();
    bytes.resize(at + particles.count() * row_bytes(properties));
    const auto put = [&](auto value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
        at += sizeof value;
    };
    for (std::size_t n = 0; n < particles.count(); ++n) {
        for (const Property& property : properties)
            put(property.is_stored ? static_cast<float>(column_of(particles, property)[n]) : 0.0F);
        put(particles.id[n]);
    }
    return write_text_file(file, bytes);
}

template <int Dim>
Result<void> read_particles(const std::filesystem::path& file, ParticleList<Dim>& particles) {
    const auto text = read_text_file(file);
    if (!text) return text.errors();
    const std::string_view bytes = text.value();

    // Nothing else looks like this: the whole header follows from what it names, and the length from that.
    const std::size_t end = bytes.find(kEnd);
    const std::size_t start = end == std::string_view::npos ? bytes.size() : end + kEnd.size();
    const std::string_view head = bytes.substr(0, start);
    ParticleList<Dim> found = with_attributes_of<Dim>(head);
    const std::vector<Property> properties = properties_of(found);
    const std::size_t count = (bytes.size() - start) / row_bytes(properties);
    const std::size_t next_id = number_in(head, kNextId);
    if (count != number_in(head, kElement) || head != header(count, next_id, properties) ||
        bytes.size() != start + count * row_bytes(properties))
        return Error{.what = "is no file of particles, or is damaged",
                     .remedy = "`spindrift verify` tells which files of a run are damaged; make them again with --from",
                     .where = {.file = file.string()}};

    resize(found, count);
    found.next_id = static_cast<std::uint32_t>(next_id);
    const char* at = bytes.data() + start;
    const auto take = [&](auto value) {
        std::memcpy(&value, at, sizeof value);
        at += sizeof value;
        return value;
    };
    for (std::size_t n = 0; n < count; ++n) {
        for (const Property& property : properties) {
            const float value = take(0.0F);
            if (property.is_stored) column_of(found, property)[n] = value;
        }
        found.id[n] = take(std::uint32_t{0});
    }
    take_attributes(particles, std::move(found));
    return {};
}

#define INSTANTIATE(Dim)                                                                           \
    template void round_as_in_file(ParticleList<Dim>&);                                            \
    template Result<void> write_particles(const std::filesystem::path&, const ParticleList<Dim>&); \
    template Result<void> read_particles(const std::filesystem::path&, ParticleList<Dim>&);
INSTANTIATE(2)
INSTANTIATE(3)
#undef INSTANTIATE

}  // namespace spindrift
