"""Asks a Telex server with LangChain, and prints what it saw as JSON."""

import json
import sys

from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from openai import APIStatusError

url, token, picture = sys.argv[1:]


def model_of(name="echo", key=token, **more):
    return ChatOpenAI(model=name, base_url=url, api_key=key, max_retries=0, **more)


def used(message):
    return [message.usage_metadata["input_tokens"], message.usage_metadata["output_tokens"]]


def whole(**more):
    message = model_of(**more).invoke("Hello world")
    return {"content": message.text, "finish": message.response_metadata.get("finish_reason"), "usage": used(message)}


def streamed(**more):
    pieces, usage = [], None
    for chunk in model_of(stream_usage=True, **more).stream("a b c"):
        if chunk.text:
            pieces.append(chunk.text)
        if chunk.usage_metadata:
            usage = used(chunk)
    return {"pieces": pieces, "usage": usage}


settings = {
    "temperature": 0.2,
    "top_p": 0.9,
    "presence_penalty": 1,
    "frequency_penalty": -1,
    "seed": 7,
    "reasoning_effort": "low",
    "verbosity": "high",
    "stop": ["END"],
    "max_tokens": 50,
}


def with_settings():
    asking = model_of("taking", **settings).bind(response_format={"type": "json_object"})
    message = asking.invoke("settings")
    usage = message.usage_metadata
    plain = model_of(include_response_headers=True, **settings).invoke("x")
    return {
        "seen": json.loads(message.text),
        "details": [usage["input_token_details"]["cache_read"], usage["output_token_details"]["reasoning"]],
        "ignored": sorted(plain.response_metadata["headers"]["x-telex-ignored"].split(", ")),
    }


def failure(attempt):
    try:
        attempt()
    except APIStatusError as error:
        return [error.status_code, error.code]


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return f"It rains in {city}."


def call(**more):
    model = model_of("taking", **more).bind_tools([weather])
    messages = [HumanMessage("Is it raining?")]
    asked = model.invoke(messages)
    wanted = asked.tool_calls[0]
    messages += [asked, ToolMessage(weather.invoke(wanted["args"]), tool_call_id=wanted["id"])]
    return {"name": wanted["name"], "answer": model.invoke(messages).text}


def look(**more):
    image = {"type": "image_url", "image_url": {"url": picture}}
    return model_of("taking", **more).invoke([HumanMessage([{"type": "text", "text": "What is this?"}, image])]).text


def responses():
    new = {"use_responses_api": True, "store": False}
    answer = whole(**new)
    return {
        "whole": {"content": answer["content"], "usage": answer["usage"]},
        "streamed": streamed(**new),
        "call": call(**new),
        "look": look(**new),
        "kept": failure(lambda: model_of(**new).invoke("x", previous_response_id="resp_1")),
    }


print(
    json.dumps(
        {
            "whole": whole(),
            "streamed": streamed(),
            "stopped": model_of(stop=["END"]).invoke("one two END three").text,
            "settings": with_settings(),
            "unknownModel": failure(lambda: model_of("none").invoke("x")),
            "wrongKey": failure(lambda: model_of(key="nobody").invoke("x")),
            "call": call(),
            "look": look(),
            "responses": responses(),
        }
    )
)
