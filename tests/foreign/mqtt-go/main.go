// A device and its owner, with Eclipse Paho for MQTT 3.1.1, and with autopaho for MQTT 5. Arguments: port, token, protocol (4 or 5).
// Prints what they saw as JSON.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/url"
	"os"
	"time"

	"github.com/eclipse/paho.golang/autopaho"
	"github.com/eclipse/paho.golang/paho"
	mqtt "github.com/eclipse/paho.mqtt.golang"
)

const patience = time.Minute

type message struct {
	topic, text string
	retained    bool
}

// client is a connection with one subscription.
type client struct {
	granted  byte
	messages chan message
	publish  func(topic, text string)
	close    func()
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func (c client) next() message {
	select {
	case found := <-c.messages:
		return found
	case <-time.After(patience):
		log.Fatal("no message came")
		return message{}
	}
}

func wait(token mqtt.Token) {
	if !token.WaitTimeout(patience) {
		log.Fatal("no answer came")
	}
	must(token.Error())
}

func connect4(address, user, password, topic string) client {
	messages := make(chan message, 10)
	options := mqtt.NewClientOptions().AddBroker("tcp://" + address).SetClientID("go-" + user)
	options.SetUsername(user).SetPassword(password).SetProtocolVersion(4)
	options.SetDefaultPublishHandler(func(_ mqtt.Client, found mqtt.Message) {
		messages <- message{found.Topic(), string(found.Payload()), found.Retained()}
	})
	own := mqtt.NewClient(options)
	wait(own.Connect())
	subscribed := own.Subscribe(topic, 2, nil).(*mqtt.SubscribeToken)
	wait(subscribed)
	return client{
		granted:  subscribed.Result()[topic],
		messages: messages,
		publish:  func(topic, text string) { wait(own.Publish(topic, 1, false, text)) },
		close:    func() { own.Disconnect(1000) },
	}
}

func connect5(address, user, password, topic string) client {
	within, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	server, err := url.Parse("mqtt://" + address)
	must(err)
	messages := make(chan message, 10)
	all, end := context.WithCancel(context.Background())
	own, err := autopaho.NewConnection(all, autopaho.ClientConfig{
		ServerUrls:      []*url.URL{server},
		KeepAlive:       30,
		ConnectUsername: user,
		ConnectPassword: []byte(password),
		ClientConfig: paho.ClientConfig{
			ClientID: "go-" + user,
			OnPublishReceived: []func(paho.PublishReceived) (bool, error){func(found paho.PublishReceived) (bool, error) {
				messages <- message{found.Packet.Topic, string(found.Packet.Payload), found.Packet.Retain}
				return true, nil
			}},
		},
	})
	must(err)
	must(own.AwaitConnection(within))
	answer, err := own.Subscribe(within, &paho.Subscribe{Subscriptions: []paho.SubscribeOptions{{Topic: topic, QoS: 1}}})
	must(err)
	return client{
		granted:  answer.Reasons[0],
		messages: messages,
		publish: func(topic, text string) {
			within, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			_, err := own.Publish(within, &paho.Publish{QoS: 1, Topic: topic, Payload: []byte(text)})
			must(err)
		},
		close: func() {
			within, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			must(own.Disconnect(within))
			end()
		},
	}
}

func main() {
	connect := connect4
	if os.Args[3] == "5" {
		connect = connect5
	}
	address, token := "127.0.0.1:"+os.Args[1], os.Args[2]
	device := connect(address, "kitchen", token, "telex/kitchen/to")
	texts := []string{device.next().text, device.next().text}
	owner := connect(address, "user", token, "telex/+/status")
	states := []message{owner.next()}
	owner.publish("telex/kitchen/send", "three")
	texts = append(texts, device.next().text)
	device.publish("telex/kitchen/from", "Hello")
	device.close()
	states = append(states, owner.next())
	owner.close()
	shown := [][]any{}
	for _, state := range states {
		shown = append(shown, []any{state.topic, state.text, state.retained})
	}
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{"granted": device.granted, "texts": texts, "states": shown}))
}
