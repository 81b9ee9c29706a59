-- ARGV[5] is the moment after which it does not want to be heard by this call (0: it only
-- looks), ARGV[6] the age from which a server counts as gone (0: none does), ARGV[7] how long the sets are kept, in
-- milliseconds, ARGV[8] how many drained buckets are told at most.
local known = redis.call('ZSCORE', KEYS[1], ARGV[4]) and 1 or 0
local joined = 0
redis.call('SET', 'kinebase:rates:begun', string.format('%.0f', now), 'NX') -- since when this Redis remembers
if now <= tonumber(ARGV[5]) then
  redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[7])
  joined = 1
end
if tonumber(ARGV[6]) > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - ARGV[6]))
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', pooled))
redis.call('PEXPIRE', KEYS[2], ARGV[7])
local drained = redis.call('ZCARD', KEYS[2])
local told = {}
if drained <= tonumber(ARGV[8]) then told = redis.call('ZRANGE', KEYS[2], 0, -1, 'WITHSCORES') end
return { string.format('%.0f', now), redis.call('ZCARD', KEYS[1]), known, joined, drained, told, redis.call('GET', 'kinebase:rates:begun') }
