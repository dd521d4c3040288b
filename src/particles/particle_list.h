// SPDX-License-Identifier: Apache-2.0
// Particles wherever they are, inside tiles or not, in the order in which they were added: drops in flight, markers.
// Places and attributes are doubles; whoever fills a list says in which unit.
#pragma once

#include <iterator>
#include <utility>

#include "base/counted_vector.h"
#include "particles/particle_columns.h"

namespace spindrift {

template <int Dim>
struct ParticleList : ParticleColumns<Dim, CountedVector<double>, CountedVector<std::uint32_t>> {
    bool empty() const { return this->id.empty(); }

    // The new one is the last; its attributes are initial.
    void add(const Vec<double, Dim>& at, std::uint32_t number) {
        for (int a = 0; a < Dim; ++a) this->position[static_cast<std::size_t>(a)].push_back(at[a]);
        this->id.push_back(number);
        for (auto& attribute : this->attributes)
            for (auto& values : attribute.component) values.push_back(attribute.initial);
    }
    void clear() {
        for_each_column(*this, [](const std::string&, auto& values) { values.clear(); });
    }
};

// All columns; new ones are zero.
template <int Dim>
void resize(ParticleList<Dim>& particles, std::size_t count) {
    for_each_column(particles, [&](const std::string&, auto& values) { values.resize(count); });
}

// Fills a list with the particles of another.  What attributes only the other has are added; those that it has not are
// initial, and the result is false.
template <int Dim>
bool take_attributes(ParticleList<Dim>& into, ParticleList<Dim> from) {
    bool has_all = true;
    for (auto& attribute : into.attributes) {
        const auto same = std::find_if(from.attributes.begin(), from.attributes.end(), [&](const auto& other) {
            return other.name == attribute.name && other.component.size() == attribute.component.size();
        });
        if (same != from.attributes.end()) {
            std::swap(attribute, *same);
            from.attributes.erase(same);
        } else {
            for (auto& values : attribute.component) values.assign(from.count(), attribute.initial);
            has_all = false;
        }
    }
    std::move(from.attributes.begin(), from.attributes.end(), std::back_inserter(into.attributes));
    into.position = std::move(from.position);
    into.id = std::move(from.id);
    into.next_id = from.next_id;
    return has_all;
}

// Removes those for which unwanted(number) holds; the others keep their order.
template <int Dim, class F>
void erase_if(ParticleList<Dim>& particles, F&& unwanted) {
    std::vector<std::size_t> kept;
    for (std::size_t n = 0; n < particles.count(); ++n)
        if (!unwanted(n)) kept.push_back(n);
    if (kept.size() == particles.count()) return;
    for_each_column(particles, [&](const std::string&, auto& values) {
        for (std::size_t n = 0; n < kept.size(); ++n) values[n] = values[kept[n]];
        values.resize(kept.size());
    });
}

}  // namespace spindrift
