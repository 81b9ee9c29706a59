package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/kinebase/kinebase/client"
)

// answers serves what a server would say, by method and path.
func answers(said map[string]string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, known := said[r.Method+" "+r.URL.Path]
		if !known {
			w.WriteHeader(http.StatusNotFound)
			body = `{"error":"NotFound","message":"There is no such capture."}`
		}
		_, _ = io.WriteString(w, body)
	}))
}

// A list is read page by page while a program goes through it.
func ExampleClient_Captures() {
	server := answers(map[string]string{"GET /v1/captures": `{"captures":[
		{"session_id":"a_1","activity":"jump","movement":"countermovement","status":"completed","capture_time":"2026-05-13T12:00:00.000Z","fps_detected":200,"arm_position":"hands-on-hips"},
		{"session_id":"b_1","activity":"jump","movement":"squat","status":"error","error":"The file ends before its last frame.","capture_time":null,"fps_detected":null}
	],"total_count":2,"offset":0,"limit":100,"next_offset":null}`})
	defer server.Close()
	c, err := client.New(server.URL+"/v1", "kb_token", client.WithRetry(5, time.Minute))
	if err != nil {
		fmt.Println(err)
		return
	}
	for capture, err := range c.Captures(context.Background(), client.CaptureFilter{Activity: "jump"}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(capture.SessionID, capture.Status, capture.Dimensions["arm_position"])
	}
	// Output:
	// a_1 completed hands-on-hips
	// b_1 error
}

// The numbers of a recording come column by column; NaN is a value that is missing.
func ExampleClient_Frames() {
	server := answers(map[string]string{
		"GET /v1/captures/a_1/frames": `{"session_id":"a_1","rate":100,"from":0,"to":2,"every":1,"frames":2,
		"columns":{"frame":[0,1],"time":[0,0.01],"HEEL_z":[0.9,null]}}`})
	defer server.Close()
	c, err := client.New(server.URL+"/v1", "kb_token")
	if err != nil {
		fmt.Println(err)
		return
	}
	frames, err := c.Frames(context.Background(), "a_1", client.FrameQuery{Channels: "HEEL"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for row, z := range frames.Columns["HEEL_z"] {
		if math.IsNaN(z) {
			fmt.Printf("row %d: missing\n", row)
			continue
		}
		fmt.Printf("row %d: %.1f m\n", row, z)
	}
	// Output:
	// row 0: 0.9 m
	// row 1: missing
}

// A refusal of the server is an *Error, with its status, a code and a sentence.
func ExampleError() {
	server := answers(nil)
	defer server.Close()
	c, err := client.New(server.URL+"/v1", "kb_token")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = c.Capture(context.Background(), "nobody's")
	var refused *client.Error
	if errors.As(err, &refused) {
		fmt.Println(refused.Status, refused.Code, refused.Message)
	}
	// Output: 404 NotFound There is no such capture.
}
