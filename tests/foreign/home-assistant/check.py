"""Checks configurations of discovery with the schemas of Home Assistant. Reads a JSON object from standard input: topics, and their
configurations. Prints the names of the keys that Home Assistant took, by topic."""

import json
import sys

import voluptuous as vol
from homeassistant.components.mqtt.config import MQTT_BASE_SCHEMA
from homeassistant.components.mqtt.discovery import TOPIC_MATCHER
from homeassistant.components.mqtt.mixins import MQTT_ENTITY_COMMON_SCHEMA
from homeassistant.components.mqtt.sensor import DISCOVERY_SCHEMA as SENSOR
from homeassistant.components.mqtt.util import valid_publish_topic
from homeassistant.helpers import config_validation as cv

# This version has no notify entity of MQTT. The schema is that of its documentation, over the parts that all entities of MQTT share.
NOTIFY = MQTT_BASE_SCHEMA.extend(
    {
        vol.Optional("command_template"): cv.template,
        vol.Required("command_topic"): valid_publish_topic,
        vol.Optional("name"): vol.Any(cv.string, None),
        vol.Optional("retain", default=False): cv.boolean,
    }
).extend(MQTT_ENTITY_COMMON_SCHEMA.schema)

schemas = {"notify": NOTIFY, "sensor": SENSOR}
taken = {}
for topic, config in json.load(sys.stdin).items():
    prefix, _, path = topic.partition("/")
    match = TOPIC_MATCHER.match(path)
    accepted = schemas[match.group("component")](config)
    taken[topic] = sorted(set(accepted) & set(config))
print(json.dumps(taken))
