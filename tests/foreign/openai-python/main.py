"""Asks a Telex server with the official Python client of OpenAI, and prints what it saw as JSON."""

import json
import sys

from openai import APIStatusError, OpenAI

url, token, picture = sys.argv[1:]
client = OpenAI(base_url=url, api_key=token, max_retries=0)


def ask(content, model="echo", **more):
    messages = [{"role": "user", "content": content}]
    return client.chat.completions.create(model=model, messages=messages, **more)


def whole():
    answer = ask("Hello world")
    choice = answer.choices[0]
    usage = [answer.usage.prompt_tokens, answer.usage.completion_tokens]
    return {"content": choice.message.content, "finish": choice.finish_reason, "usage": usage}


def streamed():
    pieces, usage = [], None
    for chunk in ask("a b c", stream=True, stream_options={"include_usage": True}):
        pieces += [choice.delta.content for choice in chunk.choices if choice.delta.content]
        if chunk.usage:
            usage = [chunk.usage.prompt_tokens, chunk.usage.completion_tokens]
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
    "max_completion_tokens": 50,
    "response_format": {"type": "json_object"},
}


def with_settings():
    answer = ask("settings", model="taking", **settings)
    details = [
        answer.usage.prompt_tokens_details.cached_tokens,
        answer.usage.completion_tokens_details.reasoning_tokens,
    ]
    del settings["response_format"]
    messages = [{"role": "user", "content": "x"}]
    ignored = client.chat.completions.with_raw_response.create(model="echo", messages=messages, **settings)
    return {
        "seen": json.loads(answer.choices[0].message.content),
        "details": details,
        "ignored": sorted(ignored.headers["x-telex-ignored"].split(", ")),
    }


def leave():
    with ask("x", model="endless", stream=True) as stream:
        for chunk in stream:
            if chunk.choices[0].delta.content:
                return True


def failure(attempt):
    try:
        attempt()
    except APIStatusError as error:
        return [error.status_code, error.code]


tools = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "The weather of a city.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
        },
    }
]


def call():
    messages = [{"role": "user", "content": "Is it raining?"}]
    message = client.chat.completions.create(model="taking", messages=messages, tools=tools).choices[0].message
    tool_call = message.tool_calls[0]
    city = json.loads(tool_call.function.arguments)["city"]
    result = {"role": "tool", "tool_call_id": tool_call.id, "content": f"It rains in {city}."}
    messages += [message, result]
    last = client.chat.completions.create(model="taking", messages=messages, tools=tools).choices[0].message
    return {"name": tool_call.function.name, "answer": last.content}


def look():
    image = {"type": "image_url", "image_url": {"url": picture}}
    return ask([{"type": "text", "text": "What is this?"}, image], model="taking").choices[0].message.content


def embed(**more):
    answer = client.embeddings.create(model="vectors", input=["tea", "coffee"], dimensions=8, **more)
    return [item.embedding for item in answer.data]


def close(one, other):
    return all(abs(a - b) < 1e-6 for a, b in zip(one, other, strict=True))


def embeddings():
    # Without a format, this client asks for base64.
    tea, coffee = embed()
    return {
        "lengths": [len(tea), len(coffee)],
        "isSame": close(tea, embed(encoding_format="float")[0]),
        "isDifferent": not close(tea, coffee),
        "unsupported": failure(lambda: client.embeddings.create(model="echo", input="tea")),
    }


def respond(content, model="echo", **more):
    return client.responses.create(model=model, input=content, **more)


def response_stream():
    pieces, usage = [], None
    for event in respond("a b c", stream=True):
        if event.type == "response.output_text.delta":
            pieces.append(event.delta)
        if event.type == "response.completed":
            usage = [event.response.usage.input_tokens, event.response.usage.output_tokens]
    return {"pieces": pieces, "usage": usage}


def response_call():
    flat = [{"type": "function", **tools[0]["function"]}]
    items = [{"role": "user", "content": "Is it raining?"}]
    asked = respond(items, model="taking", tools=flat)
    wanted = asked.output[0]
    city = json.loads(wanted.arguments)["city"]
    items += asked.output
    items.append({"type": "function_call_output", "call_id": wanted.call_id, "output": f"It rains in {city}."})
    return {"name": wanted.name, "answer": respond(items, model="taking", tools=flat).output_text}


def responses():
    whole_response = respond("Hello world")
    usage = [whole_response.usage.input_tokens, whole_response.usage.output_tokens]
    parts = [{"type": "input_text", "text": "What is this?"}, {"type": "input_image", "image_url": picture}]
    return {
        "whole": {"content": whole_response.output_text, "usage": usage},
        "streamed": response_stream(),
        "call": response_call(),
        "look": respond([{"role": "user", "content": parts}], model="taking").output_text,
        "kept": failure(lambda: respond("x", previous_response_id=whole_response.id)),
    }


stranger = OpenAI(base_url=url, api_key="nobody", max_retries=0)
print(
    json.dumps(
        {
            "models": [model.id for model in client.models.list()],
            "whole": whole(),
            "streamed": streamed(),
            "stopped": ask("one two END three", stop="END").choices[0].message.content,
            "settings": with_settings(),
            "left": leave(),
            "unknownModel": failure(lambda: ask("x", model="none")),
            "wrongKey": failure(lambda: stranger.models.list()),
            "call": call(),
            "look": look(),
            "embeddings": embeddings(),
            "responses": responses(),
        }
    )
)
