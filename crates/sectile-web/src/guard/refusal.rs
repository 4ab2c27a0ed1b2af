//! Why a request is not let through, and what is answered then.

use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, LOCATION, REFERRER_POLICY, SET_COOKIE, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};

/// Why a request is not let through.
#[derive(Debug)]
pub(super) enum Refusal {
    WrongName,
    OtherPage,
    NoToken,
    /// A browser that knows the token gets a cookie, and is sent to the page without the token.
    Welcome {
        cookie: String,
        page: String,
    },
    TooLarge {
        most_bytes: usize,
    },
    CutOff,
    TooSlow,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, message) = match self {
            Self::Welcome { cookie, page } => return welcome(cookie, page),
            Self::NoToken => return unauthorized(),
            Self::TooLarge { most_bytes } => return too_large(most_bytes),
            Self::WrongName => (
                StatusCode::FORBIDDEN,
                "this server has another name; --allow-host adds one\n",
            ),
            Self::OtherPage => (
                StatusCode::FORBIDDEN,
                "requests from pages of other servers are not answered\n",
            ),
            Self::CutOff => (
                StatusCode::BAD_REQUEST,
                "the body of the request did not arrive as a whole\n",
            ),
            Self::TooSlow => (
                StatusCode::REQUEST_TIMEOUT,
                "the request did not arrive in time\n",
            ),
        };
        (status, message).into_response()
    }
}

fn welcome(cookie: String, page: String) -> Response {
    let headers = [
        (SET_COOKIE, cookie),
        (LOCATION, page),
        (CACHE_CONTROL, "no-store".to_owned()),
        (REFERRER_POLICY, "no-referrer".to_owned()),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

fn unauthorized() -> Response {
    let challenge = [(WWW_AUTHENTICATE, "Bearer realm=\"sectile\"")];
    let message =
        "a token is wanted: send `Authorization: Bearer TOKEN`, or open `/?token=TOKEN`\n";
    (StatusCode::UNAUTHORIZED, challenge, message).into_response()
}

pub(super) fn too_large(most_bytes: usize) -> Response {
    let most = most_bytes >> 20;
    let message = format!("a request has {most} MiB at the most\n");
    (StatusCode::PAYLOAD_TOO_LARGE, message).into_response()
}
