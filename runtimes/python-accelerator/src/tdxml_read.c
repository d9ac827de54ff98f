/* Reads tables in schema order as values, as creo/_tdxml/read.py does. Gives up on other orders, and on rows that the description does not have. */
#include "tdxml.h"

#include "items.h"
#include "target.h"

static PyObject *element(Table *t, const Node *node);

/* Takes a presence row, if there is one (TDX-14). */
static bool presence(Table *t) {
    return !table_exact(t) || (t->kind == ROW_PRESENCE && table_next(t));
}

/* The text of the row's only column. */
static bool only_column(Table *t, creo_string *text) {
    bool nothing;
    return t->kind == ROW_COLUMNS && table_column(t, text, &nothing) && !nothing && t->column == NULL;
}

/* A row of its own for a value. */
static PyObject *scalar(Table *t, const Node *node) {
    PyObject *value = NULL;
    creo_string text;
    if (!table_exact(t))
        return NULL;
    if (t->kind == ROW_NIL && node->kind == KIND_OPTIONAL)
        value = new_reference(Py_None);
    else if (only_column(t, &text))
        value = xml_text_value(&t->x, node, text);
    if (value != NULL && !table_next(t))
        Py_CLEAR(value);
    return value;
}

/* The items of an array while they are read. */
typedef struct {
    Items items;
    Numbers numbers;
} Found;

/* Adds a text as an item. */
static bool add_text(Table *t, const Node *node, Found *found, creo_string text, bool nothing) {
    if (!xml_charge(&t->x, node->charge))
        return false;
    if (node->code[0] != '\0')
        return !nothing && add_number(&found->numbers, node, text);
    PyObject *item = NULL;
    if (!nothing)
        item = xml_text_value(&t->x, node->item, text);
    else if (node->item->kind == KIND_OPTIONAL)
        item = new_reference(Py_None);
    if (item != NULL && add(&found->items, item))
        return true;
    Py_XDECREF(item);
    return false;
}

/* TDX-31: all in one row. */
static bool in_one_row(Table *t, const Node *node, Found *found) {
    if (!table_exact(t))
        return true;
    if (t->kind != ROW_COLUMNS)
        return false;
    while (t->column != NULL) {
        creo_string text = {NULL, 0};
        bool nothing;
        if (!table_column(t, &text, &nothing) || !add_text(t, node, found, text, nothing))
            return false;
    }
    return table_next(t);
}

static bool in_rows(Table *t, const Node *node, Found *found) {
    const size_t size = t->size;
    bool right = true, more = true;
    for (Py_ssize_t k = 0; right && more; k++) {
        more = table_starts(t);
        right = !more || table_push(t, '\0', k);
        more = more && right && table_exact(t);
        if (more) {
            creo_string text = {NULL, 0};
            const bool nothing = t->kind == ROW_NIL;
            right = (nothing || only_column(t, &text)) && add_text(t, node, found, text, nothing) && table_next(t);
        }
        t->size = size;
    }
    return right;
}

static bool in_elements(Table *t, const Node *node, Found *found) {
    const size_t size = t->size;
    bool right = true, more = true;
    for (Py_ssize_t k = 0; right && more; k++) {
        more = table_starts(t);
        right = !more || table_push(t, '\0', k);
        more = more && right && (table_exact(t) || table_beneath(t));
        if (more) {
            PyObject *item = xml_charge(&t->x, node->charge) ? element(t, node->item) : NULL;
            right = item != NULL && add(&found->items, item);
            if (!right)
                Py_XDECREF(item);
        }
        t->size = size;
    }
    return right;
}

/* The items of an array; the index is theirs without the occurrence. */
static PyObject *items(Table *t, const Node *node) {
    Found found;
    if (node == NULL || node->kind != KIND_REPEATED || node->item == NULL)
        return NULL;
    no_items(&found.items);
    found.numbers = (Numbers){NULL, 0, 0};
    const bool texts = is_column(node->item);
    bool right = texts && t->record ? in_one_row(t, node, &found) : texts ? in_rows(t, node, &found) : in_elements(t, node, &found);
    right = right && !table_starts(t);
    return node->code[0] != '\0' ? array_of(&t->x, node, &found.numbers, right) : held(node, tuple_of(&found.items, right));
}

/* An array in its own element (TDX-23). */
static PyObject *wrapped(Table *t, const Node *node) {
    const size_t size = t->size;
    if (node->parts == NULL || !presence(t) || !table_push(t, '[', 0))
        return NULL;
    PyObject *made = items(t, node->parts[0].form);
    t->size = size;
    if (made != NULL && (table_exact(t) || table_beneath(t)))
        Py_CLEAR(made);
    return made;
}

/* The own row of a struct, message or entry. */
static bool own_row(Table *t, const Target *to) {
    const Node *node = to->node;
    Py_ssize_t i = -1;
    creo_string text = {NULL, 0};
    bool nothing;
    if (t->kind == ROW_PRESENCE)
        return table_next(t);
    if (!t->record) {
        const Node *form = node->text < 0 ? NULL : node->parts[node->text].form;
        if (form == NULL)
            return false;
        nothing = t->kind == ROW_NIL && form->kind == KIND_OPTIONAL;
        return (nothing || only_column(t, &text)) &&
               set(to, node->text, nothing ? new_reference(Py_None) : xml_text_value(&t->x, form, text)) && table_next(t);
    }
    if (t->kind != ROW_COLUMNS)
        return false;
    while (t->column != NULL) {
        do
            i = part_after(node, i);
        while (i >= 0 && node->parts[i].form != NULL && !is_column(node->parts[i].form));
        if (i < 0 || node->parts[i].form == NULL || !table_column(t, &text, &nothing))
            return false;
        if (!nothing && !set(to, i, xml_text_value(&t->x, node->parts[i].form, text)))
            return false;
    }
    return table_next(t);
}

/* The parts at and beneath the index; absent ones get their values. */
static bool parts_of(Table *t, const Target *to, bool *defaults) {
    const Node *node = to->node;
    const size_t size = t->size;
    Py_ssize_t attributes = 0, elements = 0;
    if (table_exact(t) && !own_row(t, to))
        return false;
    for (Py_ssize_t i = part_after(node, -1); i >= 0 && table_beneath(t); i = part_after(node, i)) {
        const Part *part = &node->parts[i];
        if (part->place == PLACE_TEXT)
            continue;
        const bool attribute = part->place == PLACE_ATTRIBUTE;
        const Py_ssize_t number = attribute ? attributes++ : elements++;
        if (t->record && part->form != NULL && is_column(part->form))
            continue;
        if (!table_push(t, attribute ? '(' : '[', number))
            return false;
        if (table_starts(t)) {
            const Node *form = part->form;
            PyObject *value = NULL;
            /* In an entry an array has its own element. */
            const bool repeats = form != NULL && node->kind != KIND_MAP;
            if (repeats && form->kind == KIND_REPEATED)
                value = items(t, form);
            else if (form != NULL)
                value = element(t, form);
            if (!set(to, i, value))
                return false;
        }
        t->size = size;
    }
    return !table_beneath(t) && set_absent(to, defaults);
}

static PyObject *record(Table *t, const Node *node) {
    Target to;
    bool defaults = false;
    if (node->parts == NULL || !begin_record(&to, node))
        return NULL;
    const bool right = parts_of(t, &to, &defaults);
    return end_record(&to, right, defaults);
}

static PyObject *union_value(Table *t, const Node *node) {
    const size_t size = t->size;
    PyObject *value = NULL;
    if (node->parts == NULL || !presence(t) || !table_beneath(t) || t->head[size] != '[')
        return NULL;
    Py_ssize_t i = 0, count = node->part_count - 1;
    for (size_t p = size + 1; p < t->head_size && t->head[p] >= '0' && t->head[p] <= '9' && i < count; p++)
        i = 10 * i + (t->head[p] - '0');
    /* The comparison refuses other forms of the number. */
    if (i >= count || node->parts[i].form == NULL || !table_push(t, '[', i))
        return NULL;
    if (table_starts(t) && xml_charge(&t->x, node->fields[i].charge))
        value = element(t, node->parts[i].form);
    t->size = size;
    if (value != NULL && table_beneath(t) && t->head[size] == '[')
        Py_CLEAR(value);
    return member_of(&node->fields[i], value);
}

static bool entry(Table *t, const Node *node, PyObject *into) {
    PyObject *values[2] = {NULL, NULL};
    const Target to = {node, NULL, NULL, values};
    bool defaults = false;
    const bool right = xml_charge(&t->x, node->charge) && parts_of(t, &to, &defaults) && !defaults && PyDict_SetItem(into, values[0], values[1]) == 0;
    Py_XDECREF(values[0]);
    Py_XDECREF(values[1]);
    return right;
}

static PyObject *map(Table *t, const Node *node) {
    const size_t size = t->size;
    Py_ssize_t n = 0;
    if (node->parts == NULL || !presence(t) || !table_push(t, '[', 0))
        return NULL;
    PyObject *made = PyDict_New();
    const size_t inner = t->size;
    for (bool more = true; made != NULL && more; t->size = inner) {
        more = table_starts(t);
        if (more && !table_push(t, '\0', n))
            Py_CLEAR(made);
        more = made != NULL && more && (table_exact(t) || table_beneath(t));
        if (more && !entry(t, node, made))
            Py_CLEAR(made);
        n += more;
    }
    t->size = size;
    if (made == NULL)
        return NULL;
    /* A duplicate key is stored once. */
    const bool right = PyDict_Size(made) == n && !table_exact(t) && !table_beneath(t);
    PyObject *frozen = right ? PyDictProxy_New(made) : NULL;
    Py_DECREF(made);
    return frozen;
}

/* Enters a level of recursive types (LIM-4), and of the stack. */
static PyObject *nested(Table *t, const Node *node, PyObject *(*read)(Table *, const Node *)) {
    const int64_t levels = node->recursive;
    if (t->x.depth < levels || t->x.nesting == MAX_NESTING)
        return NULL;
    t->x.depth -= levels;
    t->x.nesting++;
    PyObject *made = read(t, node);
    t->x.nesting--;
    t->x.depth += levels;
    return made;
}

/* The value at the index. */
static PyObject *element(Table *t, const Node *node) {
    if (node == NULL || !node->filled)
        return NULL;
    if (is_column(node))
        return scalar(t, node);
    switch (node->kind) {
    case KIND_OPTIONAL:
        if (table_exact(t) && t->kind == ROW_NIL)
            return table_next(t) ? new_reference(Py_None) : NULL;
        return xml_charge(&t->x, node->charge) ? element(t, node->item) : NULL;
    case KIND_RECORD:
        return nested(t, node, record);
    case KIND_UNION:
        return nested(t, node, union_value);
    case KIND_MAP:
        return nested(t, node, map);
    case KIND_WRAPPED:
        return nested(t, node, wrapped);
    default:
        return NULL;
    }
}

/* The result in a response, which has at most one part. */
static PyObject *result(Table *t, const Node *node) {
    PyObject *value = NULL;
    const Target to = {node, NULL, NULL, &value};
    bool defaults = false;
    if (!parts_of(t, &to, &defaults) || defaults)
        Py_CLEAR(value);
    else if (node->count == 0)
        value = new_reference(Py_None);
    return value;
}

PyObject *node_decode_table(PyObject *self, PyObject *arguments) {
    Node *node = (Node *)self;
    PyObject *text, *limits;
    int is_record;
    long long memory;
    Limits allowed;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(arguments, "UpLO:decode_table", &text, &is_record, &memory, &limits))
        return PyErr_ExceptionMatches(PyExc_OverflowError) ? gave_up() : NULL;
    const bool known = node->filled && node->parts != NULL && memory >= 0 && limits_of(node->context, limits, &allowed);
    const char *rows = known ? PyUnicode_AsUTF8AndSize(text, &size) : NULL;
    if (rows == NULL)
        return gave_up();
    Table t;
    memset(&t, 0, sizeof t);
    t.x.context = node->context;
    t.x.depth = allowed.depth;
    t.x.xml.memory_left = (uint64_t)memory;
    t.record = is_record != 0;
    t.elements = allowed.max_open;
    PyObject *value = NULL;
    /* A constructor may clear the node. */
    Py_INCREF(t.x.context);
    Py_INCREF(self);
    if (table_begin(&t, rows, (size_t)size))
        value = node->kind == KIND_PARAMETERS ? result(&t, node) : element(&t, node);
    if (value != NULL && t.kind != ROW_END)
        Py_CLEAR(value);
    table_end(&t);
    Py_DECREF(self);
    Py_DECREF(t.x.context);
    return value == NULL ? gave_up() : value;
}
