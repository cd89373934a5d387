/* The kernels as a Python module, `tilerummy.solver.cover._kernel`.
 *
 * All functions copy what they need, release the interpreter's lock while a kernel works, and build
 * the answer afterwards. Nothing is kept between calls.
 */
#include "binding/abi.h"
#include "binding/cover.h"
#include "binding/parts.h"
#include "binding/playout.h"
#include "binding/turn.h"

static PyMethodDef functions[] = {
    {"cover", py_cover, METH_VARARGS, cover_doc},
    {"parts", py_parts, METH_VARARGS, parts_doc},
    {"turn", (PyCFunction)(void (*)(void))py_turn, METH_FASTCALL, turn_doc},
    {"opening_turn", (PyCFunction)(void (*)(void))py_opening_turn, METH_FASTCALL, opening_turn_doc},
    {"playout", py_playout, METH_VARARGS, playout_doc},
    {NULL, NULL, 0, NULL},
};

static int add_constants(PyObject *module)
{
    PyObject *abi = build_abi();
    int failed = PyModule_AddObjectRef(module, "ABI", abi); /* fails where there is none */
    Py_XDECREF(abi);
    return failed;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, add_constants},
    {0, NULL},
};

static struct PyModuleDef module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_kernel",
    .m_doc = "The compiled kernels of the solver; see docs/solver.md.",
    .m_size = 0,
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModuleDef_Init(&module);
}
