module telex/foreign/onebot-zerobot

go 1.19

require (
	github.com/sirupsen/logrus v1.9.3
	github.com/wdvxdr1123/ZeroBot v1.8.1
)

require (
	github.com/FloatTech/ttl v0.0.0-20240716161252-965925764562 // indirect
	github.com/RomiChan/websocket v1.4.3-0.20220227141055-9b2c6168c9c5 // indirect
	github.com/tidwall/gjson v1.17.3 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.0 // indirect
	golang.org/x/sys v0.0.0-20220715151400-c0bba94af5f8 // indirect
)
