//! Web sites as sources: llms.txt, llms-full.txt and polite, safe fetching.
