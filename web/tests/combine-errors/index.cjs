// tus-js-client wants this where it keeps addresses of uploads in a file, which no test has it do.
module.exports = (errors) => new AggregateError(errors, errors.map((e) => e.message).join('; '))
