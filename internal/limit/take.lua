-- KEYS[3] is the bucket. ARGV[5] is the time in which one token comes back, ARGV[6] the time in which all do,
-- ARGV[7] how many are taken (-1 gives one back).
local interval, refill, cost = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local least_point = full(refill, interval)
local point = math.max(tonumber(redis.call('GET', KEYS[3]) or 0), least_point)
point = math.min(point, pooled + 2 * refill) -- a clock that was set back starves nobody
local after = math.max(point + cost * interval, least_point)
local missing = after - pooled - refill
local allowed = cost <= 0 or missing <= 1
if allowed then
  point, missing = after, 0
  keep(KEYS[3], refill, point)
end
local left = math.max(0, math.floor((refill - (point - pooled)) / interval + 0.000001))
return { allowed and 1 or 0, left, math.ceil(point - pooled), math.ceil(missing), string.format('%.0f', point) }
