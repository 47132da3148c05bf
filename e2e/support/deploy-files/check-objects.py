"""Checks the YAML documents of standard input against the types of the Kubernetes API: unknown fields, kinds of values, and
fields that are missing. Prints a JSON list of them, or a line for each fault and ends with 1."""

import json
import re
import sys

import kubernetes.client as api
import yaml

NAMES = {"str": str, "int": int, "bool": bool, "float": float}
faults = []


def check(value, kind, path):
    inner = re.match(r"(?:list\[|dict\(str, )(.+)[\])]$", kind)
    if inner and kind.startswith("list"):
        if not isinstance(value, list):
            return faults.append(f"{path}: no list")
        for index, each in enumerate(value):
            check(each, inner[1], f"{path}[{index}]")
    elif inner:
        if not isinstance(value, dict):
            return faults.append(f"{path}: no object")
        for key, each in value.items():
            check(each, inner[1], f"{path}.{key}")
    elif kind in NAMES:
        if type(value) is not NAMES[kind]:
            faults.append(f"{path}: {value!r} is no {kind}")
    elif hasattr(api, kind):
        check_object(value, getattr(api, kind), path)


def check_object(value, model, path):
    if not isinstance(value, dict):
        return faults.append(f"{path}: no object")
    names = {name: attribute for attribute, name in model.attribute_map.items()}
    known = {}
    for name, each in value.items():
        if name not in names:
            faults.append(f"{path}.{name}: unknown")
            continue
        check(each, model.openapi_types[names[name]], f"{path}.{name}")
        known[names[name]] = each
    try:
        model(**known)
    except ValueError as error:
        faults.append(f"{path}: {error}")


objects = [each for each in yaml.safe_load_all(sys.stdin) if each]
for each in objects:
    version = each["apiVersion"].split("/")[-1].capitalize()
    check_object(each, getattr(api, version + each["kind"]), f"{each['kind']} {each['metadata']['name']}")
if faults:
    sys.exit("\n".join(faults))
print(json.dumps(objects))
