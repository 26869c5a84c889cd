// The compiled core as a Python module. Each room has a file of its own here; this is their table.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

#define PHILIDOR_JOIN(a, b) a##b
#define PHILIDOR_MODULE_NAME(variant) PHILIDOR_JOIN(_ext_, variant)

namespace philidor::bindings {

void bind_chess(nb::module_& module);
void bind_native_games(nb::module_& module);
void bind_sgf(nb::module_& module);
void bind_encodings(nb::module_& module);
void bind_tower(nb::module_& module);
void bind_records(nb::module_& module);
void bind_search(nb::module_& module);
void bind_nnue(nb::module_& module);
void bind_alphabeta(nb::module_& module);
void bind_explanation(nb::module_& module);
void bind_tuner(nb::module_& module);
void bind_connect4_solver(nb::module_& module);
void bind_puct(nb::module_& module);
void bind_pool(nb::module_& module);
void bind_position_set(nb::module_& module);
void bind_position_judge(nb::module_& module);
void bind_nnue_layers(nb::module_& module);
void bind_dense(nb::module_& module);
void bind_engine_games(nb::module_& module);
void bind_duel(nb::module_& module);
void bind_game_stream(nb::module_& module);
void bind_alphago(nb::module_& module);
void bind_patterns(nb::module_& module);
void bind_apv(nb::module_& module);

}  // namespace philidor::bindings

NB_MODULE(PHILIDOR_MODULE_NAME(PHILIDOR_VARIANT), module) {
    module.doc() = "philidor's compiled core.";
    // What a daemon thread, a test worker or an interactive history still holds when Python ends is no leak of ours,
    // and a user can do nothing about a page of addresses.
    nb::set_leak_warnings(false);
    philidor::bindings::bind_chess(module);
    philidor::bindings::bind_native_games(module);
    philidor::bindings::bind_encodings(module);
    philidor::bindings::bind_tower(module);
    philidor::bindings::bind_records(module);
    philidor::bindings::bind_sgf(module);
    philidor::bindings::bind_search(module);
    philidor::bindings::bind_nnue(module);
    philidor::bindings::bind_alphabeta(module);
    philidor::bindings::bind_explanation(module);
    philidor::bindings::bind_tuner(module);
    philidor::bindings::bind_connect4_solver(module);
    philidor::bindings::bind_puct(module);
    philidor::bindings::bind_pool(module);
    philidor::bindings::bind_position_set(module);
    philidor::bindings::bind_position_judge(module);
    philidor::bindings::bind_nnue_layers(module);
    philidor::bindings::bind_dense(module);
    philidor::bindings::bind_engine_games(module);
    philidor::bindings::bind_duel(module);
    philidor::bindings::bind_game_stream(module);
    philidor::bindings::bind_alphago(module);
    philidor::bindings::bind_patterns(module);
    philidor::bindings::bind_apv(module);
}
