// A bot made with ZeroBot, over OneBot 11: `onebot-zerobot <address> <token> <user id>`.
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	log "github.com/sirupsen/logrus"
	zero "github.com/wdvxdr1123/ZeroBot"
	"github.com/wdvxdr1123/ZeroBot/driver"
	"github.com/wdvxdr1123/ZeroBot/message"
)

// The smallest picture there is.
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12P4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"

// tell prints what was seen as a line of JSON.
func tell(kind string, fields map[string]any) {
	line := map[string]any{"kind": kind}
	for name, value := range fields {
		line[name] = value
	}
	bytes, _ := json.Marshal(line)
	fmt.Println(string(bytes))
}

// connections tells of connections, which ZeroBot only logs.
type connections struct{ self int64 }

func (connections) Levels() []log.Level { return log.AllLevels }

func (hook connections) Fire(entry *log.Entry) error {
	if strings.Contains(entry.Message, "连接断开") {
		tell("disconnected", nil)
	}
	if strings.Contains(entry.Message, "成功, 账号") {
		// The answer is read by whom this call would hold up.
		go func() {
			name := zero.GetBot(hook.self).GetLoginInfo().Get("nickname").String()
			tell("connected", map[string]any{"self": strconv.FormatInt(hook.self, 10), "name": name})
		}()
	}
	return nil
}

func again(ctx *zero.Ctx) {
	for _, segment := range ctx.Event.Message {
		switch segment.Type {
		case "image":
			ctx.SendChain(message.Image(segment.Data["file"]))
		case "file":
			ctx.SendChain(message.File(segment.Data["file_id"], segment.Data["file"]))
		}
	}
}

// quoteOf returns the id of the message that a message quotes, or nothing.
func quoteOf(said message.Message) string {
	for _, segment := range said {
		if segment.Type == "reply" {
			return segment.Data["id"]
		}
	}
	return ""
}

func members(ctx *zero.Ctx) {
	names := []string{}
	for _, member := range ctx.GetThisGroupMemberListNoCache().Array() {
		names = append(names, member.Get("nickname").String())
	}
	ctx.SendChain(message.Text(strings.Join(names, ",")))
}

var plugins = map[string]func(ctx *zero.Ctx, rest string){
	"/echo": func(ctx *zero.Ctx, rest string) { ctx.SendChain(message.Text(rest)) },
	"/quote": func(ctx *zero.Ctx, _ string) {
		ctx.SendChain(message.Reply(ctx.Event.MessageID), message.At(ctx.Event.UserID), message.Text(" quoted"))
	},
	"/image": func(ctx *zero.Ctx, _ string) { ctx.SendChain(message.Image("base64://" + picture)) },
	"/file": func(ctx *zero.Ctx, _ string) {
		ctx.SendChain(message.File("base64://"+base64.StdEncoding.EncodeToString([]byte("tea")), "tea.txt"))
	},
	"/recall": func(ctx *zero.Ctx, _ string) {
		ctx.DeleteMessage(ctx.SendChain(message.Text("to be recalled")))
	},
	"/members": func(ctx *zero.Ctx, _ string) { members(ctx) },
	"/again":   func(ctx *zero.Ctx, _ string) { again(ctx) },
}

func main() {
	address, token := os.Args[1], os.Args[2]
	self, err := strconv.ParseInt(os.Args[3], 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	log.SetOutput(os.Stderr)
	log.SetLevel(log.InfoLevel)
	log.AddHook(connections{self})
	zero.OnMessage(zero.OnlyGroup).Handle(func(ctx *zero.Ctx) {
		text := strings.TrimSpace(ctx.ExtractPlainText())
		tell("message", map[string]any{"text": text, "to_me": ctx.Event.IsToMe, "quote": quoteOf(ctx.Event.Message)})
		name, rest, _ := strings.Cut(text, " ")
		if plugin, ok := plugins[name]; ok {
			plugin(ctx, rest)
		}
	})
	zero.On("notice/group_recall").Handle(func(*zero.Ctx) { tell("recalled", nil) })
	tell("started", nil)
	zero.RunAndBlock(&zero.Config{Driver: []zero.Driver{driver.NewWebSocketClient(address, token)}}, nil)
}
