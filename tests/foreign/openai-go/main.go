// Asks a Telex server with go-openai, and prints what it saw as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	openai "github.com/sashabaranov/go-openai"
)

var background = context.Background()

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func clientOf(url, token string) *openai.Client {
	config := openai.DefaultConfig(token)
	config.BaseURL = url
	return openai.NewClientWithConfig(config)
}

func request(model, content string) openai.ChatCompletionRequest {
	message := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: content}
	return openai.ChatCompletionRequest{Model: model, Messages: []openai.ChatCompletionMessage{message}}
}

func ask(client *openai.Client, asked openai.ChatCompletionRequest) openai.ChatCompletionResponse {
	answer, err := client.CreateChatCompletion(background, asked)
	check(err)
	return answer
}

func models(client *openai.Client) []string {
	list, err := client.ListModels(background)
	check(err)
	names := []string{}
	for _, model := range list.Models {
		names = append(names, model.ID)
	}
	return names
}

func whole(client *openai.Client) map[string]any {
	answer := ask(client, request("echo", "Hello world"))
	return map[string]any{
		"content": answer.Choices[0].Message.Content,
		"finish":  answer.Choices[0].FinishReason,
		"usage":   []int{answer.Usage.PromptTokens, answer.Usage.CompletionTokens},
	}
}

func streamed(client *openai.Client) map[string]any {
	asked := request("echo", "a b c")
	asked.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	stream, err := client.CreateChatCompletionStream(background, asked)
	check(err)
	defer stream.Close()
	pieces, usage := []string{}, []int{}
	for {
		chunk, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return map[string]any{"pieces": pieces, "usage": usage}
		}
		check(err)
		for _, choice := range chunk.Choices {
			if choice.Delta.Content != "" {
				pieces = append(pieces, choice.Delta.Content)
			}
		}
		if chunk.Usage != nil {
			usage = []int{chunk.Usage.PromptTokens, chunk.Usage.CompletionTokens}
		}
	}
}

func leave(client *openai.Client) bool {
	stream, err := client.CreateChatCompletionStream(background, request("endless", "x"))
	check(err)
	defer stream.Close()
	for {
		chunk, err := stream.Recv()
		check(err)
		if chunk.Choices[0].Delta.Content != "" {
			return true
		}
	}
}

func failure(err error) []any {
	failed := &openai.APIError{}
	if !errors.As(err, &failed) {
		return nil
	}
	return []any{failed.HTTPStatusCode, failed.Code}
}

func call(client *openai.Client) map[string]any {
	asked := request("taking", "Is it raining?")
	asked.Tools = []openai.Tool{{
		Type: openai.ToolTypeFunction,
		Function: &openai.FunctionDefinition{
			Name:        "weather",
			Description: "The weather of a city.",
			Parameters:  json.RawMessage(`{"type": "object", "properties": {"city": {"type": "string"}}}`),
		},
	}}
	message := ask(client, asked).Choices[0].Message
	wanted := message.ToolCalls[0]
	var arguments struct{ City string }
	check(json.Unmarshal([]byte(wanted.Function.Arguments), &arguments))
	result := openai.ChatCompletionMessage{
		Role:       openai.ChatMessageRoleTool,
		ToolCallID: wanted.ID,
		Content:    "It rains in " + arguments.City + ".",
	}
	asked.Messages = append(asked.Messages, message, result)
	return map[string]any{"name": wanted.Function.Name, "answer": ask(client, asked).Choices[0].Message.Content}
}

func look(client *openai.Client, picture string) string {
	asked := request("taking", "")
	asked.Messages[0].MultiContent = []openai.ChatMessagePart{
		{Type: openai.ChatMessagePartTypeText, Text: "What is this?"},
		{Type: openai.ChatMessagePartTypeImageURL, ImageURL: &openai.ChatMessageImageURL{URL: picture}},
	}
	return ask(client, asked).Choices[0].Message.Content
}

func embed(client *openai.Client, format openai.EmbeddingEncodingFormat) [][]float32 {
	answer, err := client.CreateEmbeddings(background, openai.EmbeddingRequestStrings{
		Input:          []string{"tea", "coffee"},
		Model:          "vectors",
		Dimensions:     8,
		EncodingFormat: format,
	})
	check(err)
	vectors := [][]float32{}
	for _, item := range answer.Data {
		vectors = append(vectors, item.Embedding)
	}
	return vectors
}

func embeddings(client *openai.Client) map[string]any {
	vectors := embed(client, openai.EmbeddingEncodingFormatFloat)
	decoded := embed(client, openai.EmbeddingEncodingFormatBase64)
	_, unsupported := client.CreateEmbeddings(background, openai.EmbeddingRequestStrings{
		Input: []string{"tea"},
		Model: "echo",
	})
	return map[string]any{
		"lengths":     []int{len(vectors[0]), len(vectors[1])},
		"isSame":      slices.Equal(vectors[0], decoded[0]),
		"isDifferent": !slices.Equal(vectors[0], vectors[1]),
		"unsupported": failure(unsupported),
	}
}

func main() {
	url, token, picture := os.Args[1], os.Args[2], os.Args[3]
	client := clientOf(url, token)
	stopping := request("echo", "one two END three")
	stopping.Stop = []string{"END"}
	_, unknownModel := client.CreateChatCompletion(background, request("none", "x"))
	_, wrongKey := clientOf(url, "nobody").ListModels(background)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"models":       models(client),
		"whole":        whole(client),
		"streamed":     streamed(client),
		"stopped":      ask(client, stopping).Choices[0].Message.Content,
		"left":         leave(client),
		"unknownModel": failure(unknownModel),
		"wrongKey":     failure(wrongKey),
		"call":         call(client),
		"look":         look(client, picture),
		"embeddings":   embeddings(client),
	}))
}
