# For bash; for zsh say `eval "$(schedfarm completion zsh)"`. The words are the program's own.
eval "$(schedfarm completion bash)"
