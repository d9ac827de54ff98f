#include "metadata.h"

#define MAX_KEY 64

bool creo_metadata_key_valid(creo_string key)
{
    if (key.size == 0 || key.size > MAX_KEY || key.data == NULL)
        return false;
    for (size_t i = 0; i < key.size; i++) {
        char c = key.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-'))
            return false;
    }
    return key.size < 5 || memcmp(key.data, "creo-", 5) != 0;
}
