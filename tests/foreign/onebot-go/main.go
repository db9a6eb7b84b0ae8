// An implementation of OneBot 12 with go-libonebot, which connects to Telex. The network behind it is its own memory: each line of
// its input makes somebody say something, and each line of its output is a message that it was asked to send.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	libob "github.com/botuniverse/go-libonebot"
)

const platform = "qq"

var lastID uint64

// The bytes of what was uploaded, by id.
var uploads sync.Map

func nextID() string {
	return fmt.Sprintf("m%d-%d", os.Getpid(), atomic.AddUint64(&lastID, 1))
}

func print(value interface{}) {
	line, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}

// A message of a member.
type said struct {
	Group   string `json:"group"`
	User    string `json:"user"`
	ID      string `json:"id"`
	Message []struct {
		Type string                 `json:"type"`
		Data map[string]interface{} `json:"data"`
	} `json:"message"`
}

func (s said) message() libob.Message {
	message := libob.Message{}
	for _, one := range s.Message {
		message = append(message, libob.CustomSegment(one.Type, one.Data))
	}
	return message
}

func handle(mux *libob.ActionMux, self string) {
	mux.HandleFunc(libob.ActionGetStatus, func(w libob.ResponseWriter, r *libob.Request) {
		bot := map[string]interface{}{"self": map[string]string{"platform": platform, "user_id": self}, "online": true}
		w.WriteData(map[string]interface{}{"good": true, "bots": []interface{}{bot}})
	})
	mux.HandleFunc(libob.ActionGetSelfInfo, func(w libob.ResponseWriter, r *libob.Request) {
		w.WriteData(map[string]string{"user_id": self, "user_name": "bot", "user_displayname": ""})
	})
	mux.HandleFunc(libob.ActionGetGroupMemberInfo, func(w libob.ResponseWriter, r *libob.Request) {
		p := libob.NewParamGetter(w, r)
		if user, ok := p.GetString("user_id"); ok {
			w.WriteData(map[string]string{"user_id": user, "user_name": "name of " + user, "user_displayname": "card of " + user})
		}
	})
	mux.HandleFunc(libob.ActionSendMessage, func(w libob.ResponseWriter, r *libob.Request) {
		p := libob.NewParamGetter(w, r)
		group, ok := p.GetString("group_id")
		if !ok {
			return
		}
		message, ok := p.GetMessage("message")
		if !ok {
			return
		}
		id := nextID()
		print(map[string]interface{}{"sent": message, "group": group, "id": id})
		w.WriteData(map[string]interface{}{"message_id": id, "time": float64(time.Now().UnixMilli()) / 1000})
	})
	mux.HandleFunc(libob.ActionUploadFile, func(w libob.ResponseWriter, r *libob.Request) {
		p := libob.NewParamGetter(w, r)
		name, ok := p.GetString("name")
		if !ok {
			return
		}
		data, ok := p.GetBytesOrBase64("data")
		if !ok {
			return
		}
		print(map[string]interface{}{"uploaded": name, "size": len(data)})
		uploads.Store("f-"+name, data)
		w.WriteData(map[string]string{"file_id": "f-" + name})
	})
	mux.HandleFunc(libob.ActionGetFile, func(w libob.ResponseWriter, r *libob.Request) {
		p := libob.NewParamGetter(w, r)
		id, ok := p.GetString("file_id")
		if !ok {
			return
		}
		data, ok := uploads.Load(id)
		if !ok {
			data = []byte("from the network")
		}
		w.WriteData(map[string]interface{}{"name": id, "data": data})
	})
}

func main() {
	url, token, self := os.Args[1], os.Args[2], os.Args[3]
	reverse := libob.ConfigCommWSReverse{URL: url, AccessToken: token, ReconnectInterval: 100}
	config := &libob.Config{Comm: libob.ConfigComm{WSReverse: []libob.ConfigCommWSReverse{reverse}}}
	ob := libob.NewOneBot("go_test", platform, self, config)
	ob.Logger.SetOutput(os.Stderr)
	mux := libob.NewActionMux()
	handle(mux, self)
	ob.Handle(mux)
	go func() {
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			var one said
			if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
				panic(err)
			}
			event := libob.MakeGroupMessageEvent(time.Now(), one.ID, one.message(), "", one.Group, one.User)
			ob.Push(&event)
		}
		ob.Shutdown()
	}()
	ob.Run()
}
