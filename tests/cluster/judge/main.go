// Judges histories of calls: reads them as JSON from the standard input, and prints for each history whether one order of its calls explains
// what they were answered (linearizability). The search for the order is porcupine's.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// Entry is a text with its id. The id is 0 if no answer has said it yet.
type Entry struct {
	Word string `json:"word"`
	Id   int64  `json:"id"`
}

// Answer is nil if there was none: the call may have had its effect at any later time, or never.
type Answer struct {
	Error   string  `json:"error"`
	Id      int64   `json:"id"`
	Word    string  `json:"word"`
	Entries []Entry `json:"entries"`
}

type Call struct {
	Client int     `json:"client"`
	Begun  int64   `json:"begun"`
	Ended  int64   `json:"ended"`
	Do     string  `json:"do"`
	Who    string  `json:"who"`
	Word   string  `json:"word"`
	Id     int64   `json:"id"`
	Answer *Answer `json:"answer"`
}

type History struct {
	Model string `json:"model"`
	Calls []Call `json:"calls"`
}

// State is what a model remembers. Each model uses some of it.
type State struct {
	Entries []Entry
	// Settled entries of a queue: the first ones were acknowledged.
	Settled int
	Word    string
	Id      int64
}

const mostPolled = 20

// send puts a text at the end, once: the word is its nonce.
func send(state State, call Call) (bool, State) {
	place := slices.IndexFunc(state.Entries, func(one Entry) bool { return one.Word == call.Word })
	entries := slices.Clone(state.Entries)
	if place < 0 {
		place = len(entries)
		entries = append(entries, Entry{Word: call.Word})
	}
	if call.Answer != nil {
		if call.Answer.Error != "" || !learn(entries, place, call.Answer.Id) {
			return false, state
		}
	}
	state.Entries = entries
	return true, state
}

// learn notes the id of an entry. It must fit the ids around it.
func learn(entries []Entry, place int, id int64) bool {
	for other, entry := range entries {
		isWrong := other == place && entry.Id != id || other < place && entry.Id >= id || other > place && entry.Id <= id
		if entry.Id != 0 && isWrong {
			return false
		}
	}
	entries[place].Id = id
	return true
}

// match compares entries with those of an answer, and learns their ids.
func match(state State, from int, count int, answer Answer) (bool, State) {
	entries := slices.Clone(state.Entries)
	if answer.Error != "" || len(answer.Entries) != count {
		return false, state
	}
	for index, shown := range answer.Entries {
		if entries[from+index].Word != shown.Word || !learn(entries, from+index, shown.Id) {
			return false, state
		}
	}
	state.Entries = entries
	return true, state
}

// room: all members see one list of messages.
func room(state State, call Call) (bool, State) {
	if call.Do == "send" {
		return send(state, call)
	}
	return match(state, 0, len(state.Entries), *call.Answer)
}

// queue: a poll acknowledges the texts up to an id, and returns the next ones.
func queue(state State, call Call) (bool, State) {
	if call.Do == "send" {
		return send(state, call)
	}
	if call.Id != 0 {
		place := slices.IndexFunc(state.Entries, func(one Entry) bool { return one.Id == call.Id })
		if place < 0 {
			return false, state
		}
		state.Settled = max(state.Settled, place+1)
	}
	if call.Answer == nil {
		return true, state
	}
	return match(state, state.Settled, min(mostPolled, len(state.Entries)-state.Settled), *call.Answer)
}

// marker: how far a user has read moves only forwards.
func marker(state State, call Call) (bool, State) {
	if call.Do == "mark" {
		state.Id = max(state.Id, call.Id)
	}
	return call.Answer == nil || call.Answer.Error == "" && call.Answer.Id == state.Id, state
}

// code: one upload uses it.
func code(state State, call Call) (bool, State) {
	isFree := state.Word == ""
	if isFree && (call.Answer == nil || call.Answer.Error == "") {
		state.Word = call.Word
		return true, state
	}
	return call.Answer == nil || !isFree && call.Answer.Error == "code_used", state
}

// claim: a device has one owner, until that one gives it back.
func claim(state State, call Call) (bool, State) {
	owner := state.Word
	error := ""
	switch {
	case call.Do == "register" && owner != "" && owner != call.Who:
		error = "device_taken"
	case call.Do == "register":
		state.Word = call.Who
	case owner == "":
		error = "device_not_found"
	case owner != call.Who:
		error = "not_owner"
	default:
		state.Word = ""
	}
	return call.Answer == nil || call.Answer.Error == error, state
}

// name: what is read was written last.
func name(state State, call Call) (bool, State) {
	if call.Do == "rename" {
		state.Word = call.Word
		return call.Answer == nil || call.Answer.Error == "", state
	}
	return call.Answer.Error == "" && call.Answer.Word == state.Word, state
}

var models = map[string]func(State, Call) (bool, State){
	"room": room, "queue": queue, "marker": marker, "code": code, "claim": claim, "name": name,
}

func judge(history History) porcupine.CheckResult {
	step, isKnown := models[history.Model]
	if !isKnown {
		return porcupine.CheckResult("no model " + history.Model)
	}
	operations := []porcupine.Operation{}
	for _, call := range history.Calls {
		ended := call.Ended
		if call.Answer == nil {
			ended = math.MaxInt64
		}
		operations = append(operations, porcupine.Operation{ClientId: call.Client, Input: call, Call: call.Begun, Return: ended})
	}
	model := porcupine.Model{
		Init: func() any { return State{} },
		Step: func(state, input, _ any) (bool, any) { return step(state.(State), input.(Call)) },
		Equal: func(one, other any) bool {
			a, b := one.(State), other.(State)
			return a.Settled == b.Settled && a.Word == b.Word && a.Id == b.Id && slices.Equal(a.Entries, b.Entries)
		},
	}
	return porcupine.CheckOperationsTimeout(model, operations, time.Minute)
}

func main() {
	var histories []History
	if err := json.NewDecoder(os.Stdin).Decode(&histories); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, history := range histories {
		fmt.Println(judge(history))
	}
}
