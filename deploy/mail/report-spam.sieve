# A mail was moved into Junk: the user says that it is spam.
require ["vnd.dovecot.pipe", "copy", "imapsieve", "environment", "variables"];

if environment :matches "imap.user" "*" {
    set "user" "${1}";
}
pipe :copy "hardlimit-learn" ["spam", "${user}"];
