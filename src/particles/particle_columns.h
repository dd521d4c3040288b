// SPDX-License-Identifier: Apache-2.0
// Particles as columns: one array per attribute.  A place and an id every particle has; any further scalar or vector
// has a name.  What goes through all attributes alike (sums of bytes, hashes, checkpoints, files) does so by
// for_each_column and serves every kind of set:
//
//   ParticleSet    floats, bound to tiles (particle_set.h)
//   ParticleList   doubles, wherever they are (particle_list.h)
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/check.h"
#include "base/hash.h"
#include "base/vec.h"

namespace spindrift {

// A further attribute of every particle: a scalar, or a vector with one array per axis.
template <class Column>
struct ParticleAttribute {
    using Value = std::remove_cvref_t<decltype(std::declval<const Column&>()[0])>;

    std::string name;
    std::vector<Column> component;
    Value initial = 0;  // of particles that are added
};

template <int Dim, class Column, class IdColumn>
struct ParticleColumns {
    static constexpr int kDim = Dim;
    using Attribute = ParticleAttribute<Column>;
    using Value = typename Attribute::Value;

    std::array<Column, Dim> position;
    IdColumn id;
    std::uint32_t next_id = 0;
    std::vector<Attribute> attributes;

    std::size_t count() const { return id.size(); }

    // Looked up by name, once per call of a kernel's caller; a name that is not there stops the program.
    Attribute& attribute(std::string_view name) {
        const auto found =
            std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == name; });
        CHECK(found != attributes.end(), "particles have no attribute '{}'", name);
        return *found;
    }
    const Attribute& attribute(std::string_view name) const {
        return const_cast<ParticleColumns*>(this)->attribute(name);
    }
    bool has(std::string_view name) const {
        return std::any_of(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == name; });
    }
    // A new one, `initial` everywhere.
    Attribute& add_attribute(std::string name, int components, Value initial = 0) {
        CHECK(components == 1 || components == Dim, "attribute '{}' has {} components", name, components);
        Attribute attribute{std::move(name), {}, initial};
        for (int a = 0; a < components; ++a) {
            Column& values = attribute.component.emplace_back(count());
            std::fill_n(values.data(), count(), initial);
        }
        return attributes.emplace_back(std::move(attribute));
    }

    Vec<Value, Dim> place(std::size_t n) const {
        Vec<Value, Dim> p;
        for (int a = 0; a < Dim; ++a) p[a] = position[static_cast<std::size_t>(a)][n];
        return p;
    }
    void set_place(std::size_t n, const Vec<Value, Dim>& p) {
        for (int a = 0; a < Dim; ++a) position[static_cast<std::size_t>(a)][n] = p[a];
    }
};

// Calls f(name, array) for each component of each attribute: x, y, z, radius where the set has a column of it, id, and
// NAME or NAME/x, NAME/y, NAME/z.
template <class Set, class F>
void for_each_column(Set& particles, F&& f) {
    constexpr const char* kAxes[] = {"x", "y", "z"};
    for (std::size_t a = 0; a < particles.position.size(); ++a) f(std::string(kAxes[a]), particles.position[a]);
    if constexpr (requires { particles.radius; }) f(std::string("radius"), particles.radius);
    f(std::string("id"), particles.id);
    for (auto& attribute : particles.attributes)
        for (std::size_t a = 0; a < attribute.component.size(); ++a)
            f(attribute.component.size() == 1 ? attribute.name : attribute.name + "/" + kAxes[a],
              attribute.component[a]);
}

// Of all columns.
template <class Set>
std::size_t column_bytes(const Set& particles) {
    std::size_t sum = 0;
    for_each_column(particles,
                    [&](const std::string&, const auto& values) { sum += values.size() * sizeof(values[0]); });
    return sum;
}

// Of the bits of all attributes, and of their names.
template <class Set>
void add_columns(Hasher& hasher, const Set& particles) {
    for_each_column(particles, [&](const std::string&, const auto& values) {
        hasher.add(std::span(values.data(), values.size()));
    });
    for (const auto& attribute : particles.attributes) hasher.add(std::span(attribute.name));
}

}  // namespace spindrift
