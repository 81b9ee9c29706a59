package client

import (
	"context"
	"io"
	"strings"
)

// calls makes every operation of the interface by the client's method for it.
var calls = map[string]func(ctx context.Context, c *Client, o ...CallOption) (any, error){
	"listCaptures": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.ListCaptures(ctx, CaptureFilter{}, o...)
	},
	"getCapture": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Capture(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", o...)
	},
	"reserveCapture": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Reserve(ctx, NewCapture{FileName: "trial01.c3d"}, o...)
	},
	"sendFile": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return nil, c.Upload(ctx,
			&Reservation{UploadURL: c.base + "/uploads", UploadFields: map[string]string{"key": "k"}},
			strings.NewReader("x"), o...)
	},
	"putFile": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return nil, c.PutFile(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", strings.NewReader("x"), o...)
	},
	"getMotion": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Motion(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", o...)
	},
	"getFrames": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Frames(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", FrameQuery{}, o...)
	},
	"getFrames text/csv": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.FramesAs(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", CSV, FrameQuery{}, o...)
	},
	"getFrames application/vnd.apache.parquet": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.FramesAs(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", Parquet, FrameQuery{}, o...)
	},
	"getFrames application/vnd.kinebase.frames": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.FramesAs(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", Binary, FrameQuery{}, o...)
	},
	"getFile": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.File(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", FileQuery{}, o...)
	},
	"correctCapture": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Correct(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", Correction{FPS: new(239.76)}, o...)
	},
	"deleteCapture": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.DeleteCapture(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", o...)
	},
	"reprocessCapture": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Reprocess(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", o...)
	},
	"listLinkedAthletes": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Linked(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", o...)
	},
	"linkAthletes": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Link(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", []string{"0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70"},
			o...)
	},
	"unlinkAthlete": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Unlink(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", "0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70", o...)
	},
	"getProcessing": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Processing(ctx, "4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1", o...)
	},
	"getOverview": func(ctx context.Context, c *Client, o ...CallOption) (any,
		error) {
		return c.Overview(ctx, 0, o...)
	},
	"getLandmarks": func(ctx context.Context, c *Client, o ...CallOption) (any,
		error) {
		return c.Landmarks(ctx, o...)
	},
	"listShares": func(ctx context.Context, c *Client, o ...CallOption) (any, error) { return c.Shares(ctx, o...) },
	"createShare": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.CreateShare(ctx, NewShare{Captures: []string{"4f6f2d4e-9e0b-4f0c-8a58-6f3b8d9b7a10_1"}}, o...)
	},
	"deleteShare": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.DeleteShare(ctx, "0191a0d1-3c4d-7e5f-8a60-7d8e9fa0b1c2", o...)
	},
	"getShared": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Visit(link).Shared(ctx, o...)
	},
	"getSharedSkeletons": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Visit(link).Skeletons(ctx, o...)
	},
	"getSharedCapture": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Visit(link).Capture(ctx, "1", o...)
	},
	"getSharedMotion": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Visit(link).Motion(ctx, "1", o...)
	},
	"getSharedMetrics": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Visit(link).ListMetrics(ctx, "1", MetricsFilter{}, o...)
	},
	"getSharedMovements": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Visit(link).Movements(ctx, "", "", o...)
	},
	"getSharedFrames": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Visit(link).Frames(ctx, "1", FrameQuery{}, o...)
	},
	"getSharedFrames text/csv": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Visit(link).FramesAs(ctx, "1", CSV, FrameQuery{}, o...)
	},
	"getSharedFrames application/vnd.apache.parquet": func(ctx context.Context, c *Client, o ...CallOption) (any,
		error) {
		return c.Visit(link).FramesAs(ctx, "1", Parquet, FrameQuery{}, o...)
	},
	"getSharedFrames application/vnd.kinebase.frames": func(ctx context.Context, c *Client, o ...CallOption) (any,
		error) {
		return c.Visit(link).FramesAs(ctx, "1", Binary, FrameQuery{}, o...)
	},
	"getSkeletons": func(ctx context.Context, c *Client, o ...CallOption) (any,
		error) {
		return c.Skeletons(ctx, o...)
	},
	"putSkeletons": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.PutSkeletons(ctx,
			[]Skeleton{{Name: "Feet", Bones: [][2]string{{"L_HEEL", "L_TOE"}, {"R_HEEL", "R_TOE"}}}}, o...)
	},
	"putLandmarks": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.PutLandmarks(ctx, false, []Landmark{{Name: "left_heel", Points: [][]string{{"L_HEEL"}, {"HeelL"}}}},
			o...)
	},
	"getUpload": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.GetUpload(ctx, c.base+exampleUpload, o...)
	},
	"continueUpload": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return nil, c.ContinueUpload(ctx, c.base+exampleUpload, 8388608,
			io.NewSectionReader(strings.NewReader("bytes"), 0, 5), o...)
	},
	"endUpload": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return nil, c.EndUpload(ctx, c.base+exampleUpload, o...)
	},
	"listColumns": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.ListColumns(ctx, ColumnFilter{}, o...)
	},
	"listMovements": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Movements(ctx, "", "", o...)
	},
	"deleteExport": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.DeleteExport(ctx, "0191a0c7-11aa-7c3e-8b1f-6d2e4f0a9c55", o...)
	},
	"mergeAthletes": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.MergeAthletes(ctx, "0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70", "0191a0c6-2f11-7aa0-8e5d-4c3b2a190877",
			o...)
	},
	"listChanges": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.ListChanges(ctx, ChangeFilter{}, o...)
	},
	"listAthletes": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.ListAthletes(ctx, AthleteFilter{}, o...)
	},
	"createAthlete": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.CreateAthlete(ctx, AthleteFields{FirstName: new("Jo")}, o...)
	},
	"getAthlete": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Athlete(ctx, "0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70", o...)
	},
	"updateAthlete": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.UpdateAthlete(ctx, "0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70", AthleteFields{Height: new(70)}, o...)
	},
	"deleteAthlete": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.DeleteAthlete(ctx, "0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70", o...)
	},
	"listMetrics": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.ListMetrics(ctx, "0191a0c4-5c1e-7d2a-9f3b-2c6f1e8d4b70", MetricsFilter{}, o...)
	},
	"getExportJob": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.ExportJob(ctx, "0191a0c7-11aa-7c3e-8b1f-6d2e4f0a9c55", o...)
	},
	"createExport": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.CreateExport(ctx, NewExport{}, o...)
	},
	"estimateExport": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.EstimateExport(ctx, NewExport{}, o...)
	},
	"listExportJobs": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.ListExportJobs(ctx, 0, 0, o...)
	},
	"cancelExport": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.CancelExport(ctx, "0191a0c7-11aa-7c3e-8b1f-6d2e4f0a9c55", o...)
	},
	"getExportResults": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.ExportResults(ctx, "0191a0c7-11aa-7c3e-8b1f-6d2e4f0a9c55", 0, 0, o...)
	},
	"getExportResults text/csv": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.DownloadExport(ctx, "0191a0c7-11aa-7c3e-8b1f-6d2e4f0a9c55", CSV, o...)
	},
	"getExportResults application/x-ndjson": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.DownloadExport(ctx, "0191a0c7-11aa-7c3e-8b1f-6d2e4f0a9c55", NDJSON, o...)
	},
	"getExportResults application/vnd.apache.parquet": func(ctx context.Context, c *Client, o ...CallOption) (any,
		error) {
		return c.DownloadExport(ctx, "0191a0c7-11aa-7c3e-8b1f-6d2e4f0a9c55", Parquet, o...)
	},
	"listAudit": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.ListAudit(ctx, AuditFilter{}, o...)
	},
	"listWebhooks": func(ctx context.Context, c *Client, o ...CallOption) (any, error) { return c.Webhooks(ctx, o...) },
	"createWebhook": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.CreateWebhook(ctx,
			NewWebhook{URL: "https://warehouse.example.org/kinebase",
				Events: []string{"capture.completed", "capture.deleted"}, Description: "nightly warehouse"}, o...)
	},
	"getWebhook": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.Webhook(ctx, "0191a0d1-3c4d-7e5f-8a60-7d8e9fa0b1c2", o...)
	},
	"changeWebhook": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.ChangeWebhook(ctx, "0191a0d1-3c4d-7e5f-8a60-7d8e9fa0b1c2", WebhookChange{Enabled: new(bool)}, o...)
	},
	"deleteWebhook": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.DeleteWebhook(ctx, "0191a0d1-3c4d-7e5f-8a60-7d8e9fa0b1c2", o...)
	},
	"testWebhook": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.TestWebhook(ctx, "0191a0d1-3c4d-7e5f-8a60-7d8e9fa0b1c2", o...)
	},
	"rotateWebhook": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.RotateWebhook(ctx, "0191a0d1-3c4d-7e5f-8a60-7d8e9fa0b1c2", o...)
	},
	"listDeliveries": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.ListDeliveries(ctx, "0191a0d1-3c4d-7e5f-8a60-7d8e9fa0b1c2", DeliveryFilter{}, o...)
	},
	"replayDelivery": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.ReplayDelivery(ctx, "0191a0d1-3c4d-7e5f-8a60-7d8e9fa0b1c2", "0191a0d2-6f70-7172-9d93-a0b1c2d3e4f5",
			o...)
	},
	"listTokens": func(ctx context.Context, c *Client, o ...CallOption) (any, error) { return c.Tokens(ctx, o...) },
	"createToken": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.CreateToken(ctx, NewToken{Name: "dashboard", Role: "viewer"}, o...)
	},
	"rotateToken": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.RotateToken(ctx, "0191a0c9-2c3d-7e4f-9051-6c7d8e9fa0b2", o...)
	},
	"revokeToken": func(ctx context.Context, c *Client, o ...CallOption) (any, error) {
		return c.RevokeToken(ctx, "0191a0c9-2c3d-7e4f-9051-6c7d8e9fa0b2", o...)
	},
}

// link is the secret of a link, as the interface document shows it.
const link = "ks_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEX00"

// exampleUpload is the address of the examples of uploads that go on.
const exampleUpload = "/uploads/eyJvcmdhbml6YXRpb24iOiIwMTkxYTBjMCJ9.n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"
