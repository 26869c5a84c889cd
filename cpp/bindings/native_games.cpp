// The native games for Python: not to play with (the Python games are for that), but to be searched and compared.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cctype>
#include <string>
#include <tuple>
#include <type_traits>

#include "bindings/game.h"
#include "games/native_games.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace philidor::bindings {

namespace {

// The class's name: "Gomoku" for "gomoku".
std::string class_name(std::string name) {
    name[0] = char(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

template <games::NativeGame G, typename... Field>
void bind_fields(nb::class_<G>& c, std::type_identity<std::tuple<Field...>>) {
    c.def(nb::init<Field...>(), G::kFields);
}

}  // namespace

void bind_native_games(nb::module_& module) {
    games::for_each_native_game([&]<games::NativeGame G>() {
        nb::class_<G> c = bind_game<G>(module, class_name(G::kName).c_str(), G::kFields);
        bind_fields(c, std::type_identity<typename G::Fields>{});
        if constexpr (std::is_same_v<G, games::Go>) bind_go(module, c);
    });
    module.def(
        "native_games",
        [] {
            nb::dict classes;
            games::for_each_native_game([&]<games::NativeGame G>() { classes[G::kName] = nb::type<G>(); });
            return classes;
        },
        nb::sig("def native_games() -> dict[str, type[typing.Any]]"),
        "The classes of the games, by the names of their descriptors' twins.");
}

}  // namespace philidor::bindings
