// The CPU's features, for the choice of the extension variant. Plain C and the limited API: it must run on any CPU.
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

static PyObject* features(PyObject* module, PyObject* unused) {
    (void)module;
    (void)unused;
    PyObject* found = PyDict_New();
    if (!found) return NULL;
#if defined(__x86_64__) || defined(_M_X64)
    __builtin_cpu_init();
#define PHILIDOR_FEATURE(name)                                                                      \
    if (PyDict_SetItemString(found, name, __builtin_cpu_supports(name) ? Py_True : Py_False) < 0) { \
        Py_DECREF(found);                                                                           \
        return NULL;                                                                                \
    }
    PHILIDOR_FEATURE("sse4.1")
    PHILIDOR_FEATURE("sse4.2")
    PHILIDOR_FEATURE("popcnt")
    PHILIDOR_FEATURE("avx2")
    PHILIDOR_FEATURE("bmi")
    PHILIDOR_FEATURE("bmi2")
    PHILIDOR_FEATURE("fma")
    PHILIDOR_FEATURE("avx512f")
    PHILIDOR_FEATURE("avx512bw")
    PHILIDOR_FEATURE("avx512vnni")
    // AMD before Zen 3 executes PEXT in microcode, about twenty times slower than a magic multiplication.
    int has_fast_pext = __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("bdver4") && !__builtin_cpu_is("znver1") &&
                        !__builtin_cpu_is("znver2");
    if (PyDict_SetItemString(found, "fast_pext", has_fast_pext ? Py_True : Py_False) < 0) {
        Py_DECREF(found);
        return NULL;
    }
#endif
    return found;
}

static PyMethodDef methods[] = {{"features", features, METH_NOARGS,
                                 "The instruction sets this CPU can run, by name; empty on other architectures."},
                                {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_cpu", NULL, 0, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__cpu(void) { return PyModule_Create(&definition); }
