-- A server that was away settles what it gave, and with ARGV[5] above 0 it is heard again by the same call, unless Redis
-- does it after that moment; ARGV[6] is how long the set is kept, in milliseconds. KEYS[3] and on are buckets; each has
-- six arguments from ARGV[7] on: the time in which one token comes back, the time in which all do, by how many tokens
-- the server's part has grown since it left, how many are in it, how many the server gave and has not settled, and the
-- point in time at which it knew the bucket before (for a Redis that has lost its memory, else 0). It answers with the
-- point in time of each bucket.
local ending = tonumber(ARGV[5])
if ending > 0 and now > ending then return {} end

-- brought is the part of the time that the pool gets back by this call.
local brought, before = 0, redis.call('ZSCORE', KEYS[1], ARGV[4])
if ending > 0 and before then brought = math.max(0, now - window - before) / servers end

local points = { '1' }
for i = 3, #KEYS do
  local a = 6 * (i - 2) + 1
  local interval, refill = tonumber(ARGV[a]), tonumber(ARGV[a + 1])
  local grown, held, spent = ARGV[a + 2] * interval, ARGV[a + 3] * interval, ARGV[a + 4] * interval
  local point, told = tonumber(redis.call('GET', KEYS[i]) or 0), tonumber(ARGV[a + 5])
  if told > 0 then
    -- This Redis took the bucket for full when it began, or knows of it what another server has told. What was taken out of
    -- it here since then comes on top of what is told now.
    local was = 'kinebase:rates:was:' .. KEYS[i]
    local base = tonumber(redis.call('GET', was) or redis.call('GET', 'kinebase:rates:begun') or now)
    point = math.max(point + math.max(0, told - base), told)
    redis.call('SET', was, string.format('%.0f', math.max(told, base)), 'PX', math.ceil(2 * refill / 1000) + 60000)
  end
  local saved = full(refill, interval) - pooled -- what others may have saved up
  local missing
  if before then
    -- To the bucket as it was without this server comes its part, and not all of the time that it brings.
    missing = math.max(point - (pooled - brought), saved) - grown
    if brought > 0 then missing = math.max(missing, saved + math.min(refill / servers, brought * servers) - held) end
  else
    missing = math.max(point - pooled, saved) + spent
  end
  point = pooled + math.min(math.max(missing, saved), 2 * refill)
  keep(KEYS[i], refill, point)
  points[i - 1] = string.format('%.0f', point)
end
if ending > 0 then
  redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[6])
end
return points
