-- What every script begins with: the pool's time.
--
-- KEYS[1] is the set of servers, by the moment in which each was heard last; KEYS[2] the set of drained buckets, by the
-- moment in which each is half full again. ARGV[1] is how long a server that is not heard counts as one that draws from
-- the pool, ARGV[2] the least number of servers that there are, whatever the set says, ARGV[3] since when those that the
-- set lacks are not heard, and ARGV[4] the server that asks, which is heard by asking. Times are microseconds.
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local window, least, since = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local listed = redis.call('ZCARD', KEYS[1])
local servers = math.max(1, listed, least)

-- Of N servers each owns an Nth of the time. One that is not heard spends its part by itself: the pool does without it
-- until the server is heard again, and has then paid what it spent.
local absent, pooled = {}, now
local heard = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. string.format('%.0f', now - window), 'WITHSCORES')
for i = 1, #heard, 2 do
  if heard[i] ~= ARGV[4] then absent[#absent + 1] = now - window - heard[i + 1] end
end
for _ = listed + 1, least do absent[#absent + 1] = math.max(0, now - since) end
for _, age in ipairs(absent) do pooled = pooled - age / servers end

-- full is the point in time that stands for a bucket as full as it gets. What absent servers may have saved up is left
-- out, but for one request, without which a small bucket would refuse everything.
local function full(refill, interval)
  local saved = 0
  for _, age in ipairs(absent) do saved = saved + math.min(refill, age) / servers end
  return pooled + math.max(0, math.min(saved, refill - interval))
end

local function keep(key, refill, point)
  redis.call('SET', key, string.format('%.2f', point), 'PX', math.ceil((point - pooled) / 1000) + 1000)
  if point - pooled > refill / 2 then
    redis.call('ZADD', KEYS[2], string.format('%.0f', point - refill / 2), key)
  end
end
