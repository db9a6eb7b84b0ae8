"""A bot made with NoneBot 2: echo, image, file, mention, quote, recall, members and history.

Usage: main.py 11 forward <address> <token> | main.py 12 reverse <port> <token>

It prints what it sees as lines of JSON.
"""

import json
import sys

import nonebot
from nonebot.log import logger

version, mode, where, token = sys.argv[1:5]


def tell(**fields):
    print(json.dumps(fields, default=str), flush=True)


logger.remove()
options = {"driver": "~websockets", "log_level": "ERROR"}
if mode == "reverse":
    options = {"driver": "~fastapi", "host": "127.0.0.1", "port": int(where)}
    options |= {"fastapi_openapi_url": None, "fastapi_docs_url": None, "fastapi_redoc_url": None}
elif version == "11":
    options |= {"onebot_ws_urls": {where}}
else:
    options |= {"onebot_v12_ws_urls": {where}}
key = "onebot_access_token" if version == "11" else "onebot_v12_access_token"
nonebot.init(**options, **{key: token})
driver = nonebot.get_driver()

if version == "11":
    from nonebot.adapters.onebot.v11 import Adapter, Bot, GroupMessageEvent as Message, MessageSegment
    from nonebot.adapters.onebot.v11 import NoticeEvent
else:
    from nonebot.adapters.onebot.v12 import Adapter, Bot, GroupMessageEvent as Message, MessageSegment
    from nonebot.adapters.onebot.v12 import NoticeEvent
driver.register_adapter(Adapter)


@driver.on_startup
async def started():
    tell(kind="started")


@driver.on_bot_connect
async def connected(bot: Bot):
    if version == "11":
        login = await bot.get_login_info()
        groups = await bot.get_group_list()
        tell(kind="connected", self=bot.self_id, name=login["nickname"], groups=[one["group_id"] for one in groups])
    else:
        login = await bot.get_self_info()
        groups = await bot.get_group_list()
        tell(kind="connected", self=bot.self_id, name=login["user_name"], groups=[one["group_id"] for one in groups])


@driver.on_bot_disconnect
async def disconnected(bot: Bot):
    tell(kind="disconnected", self=bot.self_id)


async def echo(bot: Bot, event: Message, text: str):
    await bot.send(event, text)


async def quote(bot: Bot, event: Message, _text: str):
    mention = MessageSegment.at(event.user_id) if version == "11" else MessageSegment.mention(event.user_id)
    await bot.send(event, MessageSegment.reply(event.message_id) + mention + " quoted")


async def image(bot: Bot, event: Message, _text: str):
    # The smallest picture there is.
    picture = bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de"
        "0000000c4944415408d763f8cfc0000003010100c9fe92ef0000000049454e44ae426082"
    )
    if version == "11":
        await bot.send(event, MessageSegment.image(picture))
    else:
        uploaded = await bot.upload_file(type="data", name="dot.png", data=picture)
        await bot.send(event, MessageSegment.image(uploaded["file_id"]))


async def file(bot: Bot, event: Message, _text: str):
    if version == "11":
        source = "base64://dGVh"
        await bot.call_api("upload_group_file", group_id=event.group_id, file=source, name="tea.txt")
    else:
        uploaded = await bot.upload_file(type="data", name="tea.txt", data=b"tea")
        await bot.send(event, MessageSegment.file(uploaded["file_id"]))


async def recall(bot: Bot, event: Message, _text: str):
    sent = await bot.send(event, "to be recalled")
    if version == "11":
        await bot.delete_msg(message_id=sent["message_id"])
    else:
        await bot.delete_message(message_id=sent["message_id"])


async def members(bot: Bot, event: Message, _text: str):
    listed = await bot.get_group_member_list(group_id=event.group_id)
    names = [one["nickname"] if version == "11" else one["user_name"] for one in listed]
    await bot.send(event, ",".join(names))


async def history(bot: Bot, event: Message, _text: str):
    told = await bot.call_api("get_group_msg_history", group_id=event.group_id, count=2)
    await bot.send(event, ",".join(one["raw_message"] for one in told["messages"]))


async def again(bot: Bot, event: Message, _text: str):
    await bot.send(event, event.original_message[1:])


async def wrong(bot: Bot, event: Message, _text: str):
    try:
        await bot.call_api("send_group_msg" if version == "11" else "set_group_name", group_id="x", message="")
    except Exception as error:
        await bot.send(event, type(error).__name__)


plugins = {
    one.__name__: one for one in (echo, quote, image, file, recall, members, history, again, wrong)
}
commands = nonebot.on_message()


@commands.handle()
async def command(bot: Bot, event: Message):
    text = event.original_message.extract_plain_text().strip()
    id_field = "id" if version == "11" else "message_id"
    quotes = [one.data[id_field] for one in event.original_message if one.type == "reply"]
    tell(kind="message", text=text, to_me=event.is_tome(), quote=quotes[0] if quotes else None)
    name, _, rest = text.removeprefix("/").partition(" ")
    if text.startswith("/") and name in plugins:
        try:
            await plugins[name](bot, event, rest)
        except Exception as error:
            tell(kind="failed", name=name, error=repr(error))


notices = nonebot.on_notice()


@notices.handle()
async def notice(event: NoticeEvent):
    if event.get_event_name() in ("notice.group_recall", "notice.group_message_delete.recall"):
        tell(kind="recalled")


nonebot.run()
