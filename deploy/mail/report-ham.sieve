# A mail was moved out of Junk: the user says that it is none, unless it goes to the trash.
require ["vnd.dovecot.pipe", "copy", "imapsieve", "environment", "variables"];

if environment :matches "imap.mailbox" "*" {
    set "mailbox" "${1}";
}
if string "${mailbox}" "Trash" {
    stop;
}
if environment :matches "imap.user" "*" {
    set "user" "${1}";
}
pipe :copy "hardlimit-learn" ["ham", "${user}"];
